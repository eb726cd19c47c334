-- Does a model prefer a letter? How often each letter was right, was chosen, and was chosen when it was right.
SELECT suite, model, letter, count(*) FILTER (answer = letter) AS right_here,
       count(*) FILTER (choice = letter) AS chosen,
       round(100 * avg(success::INT) FILTER (answer = letter), 1) AS recall_here
FROM scored_choices CROSS JOIN (VALUES ('A'), ('B'), ('C'), ('D')) AS letters (letter)
GROUP BY ALL ORDER BY ALL;
