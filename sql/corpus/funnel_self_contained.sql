-- From structures to labelled pages. Needs view `self_contained`, variable `filters` (names that a filter's reason starts with).
WITH page AS (
    SELECT
        duplicates, domain,
        split_part(drop_reason, ':', 1) AS dropped,
        list_contains(getvariable('filters'), split_part(drop_reason, ':', 1)) AS filtered
    FROM self_contained
)
SELECT 'unique' AS stage, 'kept' AS reason, count(*) AS n FROM page
UNION ALL
SELECT 'unique', 'built_alike', coalesce(sum(duplicates), 0) FROM page
UNION ALL
SELECT 'self_contained', if(dropped IS NULL OR filtered, 'kept', dropped) AS reason, count(*) FROM page GROUP BY reason
UNION ALL
SELECT 'filtered', coalesce(dropped, 'kept') AS reason, count(*) FROM page WHERE dropped IS NULL OR filtered GROUP BY reason
UNION ALL
SELECT 'labelled', if(domain IS NULL, 'no_domain', 'kept') AS reason, count(*) FROM page WHERE dropped IS NULL GROUP BY reason
