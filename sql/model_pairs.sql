-- Which models fail on different pairs? The McNemar table of every two models, most disagreement first.
-- p_value: exact and uncorrected; <suite>_comparisons has intervals clustered by page and Holm's correction.
WITH counts AS (
         SELECT suite, judge, a.model AS model_a, b.model AS model_b, count(*) AS n,
                count(*) FILTER (WHERE a.success AND b.success) AS both_right,
                count(*) FILTER (WHERE a.success AND NOT b.success) AS only_a,
                count(*) FILTER (WHERE b.success AND NOT a.success) AS only_b,
                count(*) FILTER (WHERE NOT a.success AND NOT b.success) AS both_wrong
         FROM scored AS a JOIN scored AS b USING (suite, judge, item_id)
         WHERE a.model < b.model AND a.scored AND b.scored
         GROUP BY ALL
     ),
     discordant AS (SELECT *, only_a + only_b AS d, least(only_a, only_b) AS fewer FROM counts)
SELECT suite, judge, model_a, model_b, n, both_right, only_a, only_b, both_wrong, round(d / n, 3) AS disagreement,
       least(1.0, 2 * list_sum(
           [exp(lgamma(d + 1) - lgamma(k + 1) - lgamma(d - k + 1) - d * ln(2)) for k in range(fewer + 1)]
       )) AS p_value
FROM discordant
ORDER BY suite, judge, disagreement DESC, model_a, model_b;
