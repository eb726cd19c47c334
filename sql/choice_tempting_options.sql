-- Which false statements did models choose most often? The hardest ones, or ones that a person should look at again.
SELECT suite, category, question_id, choice, options_by[choice] AS statement, count(DISTINCT model) AS models,
       list_contains(suspected_truths, options_by[choice]) AS suspected_true
FROM (SELECT *, map {'A': options.A, 'B': options.B, 'C': options.C, 'D': options.D} AS options_by
      FROM scored_choices WHERE error_kind = 'competing_change')
GROUP BY ALL ORDER BY models DESC, question_id LIMIT 50;
