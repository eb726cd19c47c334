-- The page that stands for each group, with all that it stands for.
-- Needs views `page` (id, structure_fingerprint, duplicates) and `grouped` (id, kept).
SELECT kept AS id, any_value(structure_fingerprint) FILTER (id = kept) AS structure_fingerprint,
    (sum(duplicates) + count(*) - 1)::BIGINT AS duplicates
FROM page
JOIN grouped USING (id)
GROUP BY kept
ORDER BY id
