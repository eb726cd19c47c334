-- Which kinds of element are watched, and which are overlooked?
SELECT suite, judge, model, coalesce(element, 'unknown') AS element, round(avg(success::INT), 3) AS recall, count(*) AS n,
       count(*) FILTER (WHERE NOT scored) AS n_unscored
FROM scored
WHERE has_diff
GROUP BY ALL
ORDER BY suite, judge, model, n DESC, element;
