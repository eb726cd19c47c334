-- How right is every model in every category of the multiple-choice suites, and what were its errors?
SELECT suite, "group", category, model, count(*) AS n, round(100 * avg(success::INT), 1) AS accuracy,
       round(100 * avg((coalesce(error_kind, '') = 'missed_change')::INT), 1) AS missed_change,
       round(100 * avg((coalesce(error_kind, '') = 'competing_change')::INT), 1) AS competing_change,
       round(100 * avg((coalesce(error_kind, '') = 'invalid')::INT), 1) AS invalid,
       count(*) FILTER (NOT scored) AS unscored
FROM scored_choices GROUP BY ALL ORDER BY ALL;
