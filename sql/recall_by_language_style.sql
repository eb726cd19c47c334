-- Is a model weaker on pages of some language or some visual style?
SELECT suite, judge, model, slice, coalesce(slice_value, 'unknown') AS slice_value,
       round(avg(success::INT), 3) AS recall, count(*) AS n, count(*) FILTER (WHERE NOT scored) AS n_unscored
FROM (
    SELECT suite, judge, model, success, scored, unnest(['language', 'style']) AS slice,
           unnest([language, style]) AS slice_value
    FROM scored WHERE has_diff
)
GROUP BY ALL
ORDER BY suite, judge, model, slice, n DESC, slice_value;
