-- Which models claim differences between two equal screenshots, and what do they claim?
SELECT suite, judge, model, count(*) AS n, count(*) FILTER (WHERE scored AND NOT success) AS false_alarms,
       count(*) FILTER (WHERE NOT scored) AS n_unscored, round(avg(success::INT), 3) AS specificity,
       round(avg(len(hallucinations)) FILTER (WHERE scored), 2) AS claims_per_answer,
       min_by(hallucinations[1], pair_id) FILTER (WHERE scored AND NOT success) AS example
FROM scored
WHERE NOT has_diff
GROUP BY suite, judge, model
ORDER BY suite, judge, specificity DESC, model;
