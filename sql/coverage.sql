-- How much of the benchmark stands behind each score? Outcomes of the answers, and why pairs have no verdict.
SELECT suite, judge, model, count(*) AS pairs, count(item_id) AS asked,
       count(*) FILTER (WHERE outcome = 'completed') AS completed,
       count(*) FILTER (WHERE outcome = 'truncated') AS truncated,
       count(*) FILTER (WHERE outcome = 'empty') AS empty,
       count(*) FILTER (WHERE outcome = 'refused') AS refused,
       count(*) FILTER (WHERE outcome = 'error') AS error,
       count(*) FILTER (WHERE scored) AS scored, round(avg(scored::INT), 4) AS coverage, histogram(unscored) AS unscored
FROM scored
GROUP BY suite, judge, model
ORDER BY suite, judge, coverage DESC, model;
