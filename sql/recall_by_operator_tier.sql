-- Which kinds of change does each model see, and how fast does it lose them as they get smaller?
SELECT suite, judge, model, operator,
       round(avg(success::INT) FILTER (WHERE tier = 'easy'), 3) AS easy,
       round(avg(success::INT) FILTER (WHERE tier = 'medium'), 3) AS medium,
       round(avg(success::INT) FILTER (WHERE tier = 'hard'), 3) AS hard,
       round(avg(success::INT), 3) AS recall, count(*) AS n, count(*) FILTER (WHERE NOT scored) AS n_unscored
FROM scored
WHERE has_diff
GROUP BY suite, judge, model, operator
ORDER BY suite, judge, model, recall DESC, operator;
