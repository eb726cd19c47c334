-- Which differences did every model miss although much of the target's box changed? Most changed first.
SELECT suite, judge, pair_id, cell, round(inside_change, 3) AS inside_change, domain, language, element, location,
       description, count(DISTINCT model) AS models
FROM scored
WHERE has_diff
GROUP BY ALL
HAVING bool_and(scored AND NOT success)
ORDER BY suite, judge, inside_change DESC, pair_id
LIMIT 200;
