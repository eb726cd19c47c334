-- Do models see a change better when more of the target's pixels change? Recall by tenth of the pairs.
WITH tenths AS (
         SELECT suite, pair_id, ntile(10) OVER (PARTITION BY suite ORDER BY inside_change, pair_id) AS decile
         FROM open_ended_pairs WHERE cell <> 'no_diff' AND inside_change IS NOT NULL
     )
SELECT suite, judge, model, decile, round(min(inside_change), 4) AS least_change,
       round(max(inside_change), 4) AS most_change, round(avg(success::INT), 3) AS recall,
       count(*) AS n, count(*) FILTER (WHERE NOT scored) AS n_unscored
FROM scored JOIN tenths USING (suite, pair_id)
GROUP BY suite, judge, model, decile
ORDER BY suite, judge, model, decile;
