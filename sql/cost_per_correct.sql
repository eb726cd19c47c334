-- What does one correctly named difference cost? Failed and wrong answers are paid for, too.
WITH judging AS (
         SELECT suite, judge, model, sum(cost_usd) AS judge_usd FROM open_ended_judge_replies GROUP BY ALL
     ),
     answering AS (
         SELECT suite, judge, model, count(*) FILTER (WHERE success AND has_diff) AS correct, sum(cost_usd) AS answers_usd,
                round(avg(output_tokens), 1) AS output_tokens_mean, round(median(latency_s), 2) AS latency_s_median,
                count(*) FILTER (WHERE item_id IS NOT NULL AND cost_usd IS NULL) AS answers_without_price
         FROM scored GROUP BY suite, judge, model
     )
SELECT suite, judge, model, correct, answers_usd, round(answers_usd / nullif(correct, 0), 6) AS usd_per_correct, judge_usd,
       output_tokens_mean, latency_s_median, answers_without_price
FROM answering LEFT JOIN judging USING (suite, judge, model)
ORDER BY suite, judge, usd_per_correct NULLS LAST, model;
