-- One page of each structure, the one with the smallest lot. Needs view `page` (id, structure_fingerprint), variable `seed`.
SELECT
    arg_min(id, lot(getvariable('seed'), id)) AS id,
    structure_fingerprint,
    count(*) - 1 AS duplicates
FROM page
WHERE structure_fingerprint IS NOT NULL
GROUP BY structure_fingerprint
ORDER BY id
