-- One row per model × judge × pair of every open-ended suite: the grid that every score is an average over.
-- A pair without a verdict is no success and stays in the denominator; `unscored` says why it has none. A verdict
-- counts only for a completed answer. Success: a has-diff pair judged correct, or a no_diff pair without a false claim.
CREATE OR REPLACE VIEW scored AS
WITH judges AS (SELECT DISTINCT suite, judge FROM open_ended_verdicts),
     models AS (SELECT DISTINCT suite, model FROM open_ended_responses),
     pairs AS (
         SELECT suite, pair_id, page_id, cell, operator, family, tier, domain, style, language, inside_change, clip_distance,
                description, differences[1].target AS target, cell <> 'no_diff' AS has_diff
         FROM open_ended_pairs
     ),
     grid AS (
         SELECT pairs.*, model, judge, item_id, outcome, response.text AS answer, cost_usd, output_tokens, latency_s,
                verdict, matched, reasoning, hallucinations, unscored_reason, found.item_id IS NOT NULL AS judged
         FROM pairs JOIN models USING (suite) JOIN judges USING (suite)
         LEFT JOIN open_ended_responses AS response USING (suite, pair_id, model)
         LEFT JOIN open_ended_verdicts AS found USING (suite, item_id, pair_id, model, judge)
     ),
     reasoned AS (
         SELECT *, CASE WHEN item_id IS NULL THEN 'no response'
                        WHEN outcome <> 'completed' THEN 'response: ' || outcome
                        WHEN NOT judged THEN 'no verdict'
                        ELSE unscored_reason END AS unscored
         FROM grid
     )
SELECT suite, model, judge, pair_id, page_id, cell, operator, family, tier, domain, style, language,
       coalesce(nullif(target.role, ''), nullif(target.tag, '')) AS element, target.location AS location,
       inside_change, clip_distance, description, has_diff, item_id, outcome, answer, cost_usd, output_tokens,
       latency_s, unscored IS NULL AS scored, unscored,
       unscored IS NULL AND CASE WHEN has_diff THEN verdict = 'correct' ELSE len(hallucinations) = 0 END AS success,
       verdict, matched, reasoning,
       CASE WHEN unscored IS NULL THEN hallucinations ELSE [] END AS hallucinations
FROM reasoned;

COMMENT ON VIEW scored IS 'A row for each model, judge and pair: what every score is an average over.';

-- What no longer fits together, as far as the tables tell: one row per suite, problem, model, judge and cell, with the
-- number of rows concerned. Dagster knows more (settings and code); this needs nothing but the files.
CREATE OR REPLACE VIEW stale AS
WITH pairs AS (SELECT suite, pair_id, page_id, cell, operator, tier, render_fingerprint FROM open_ended_pairs),
     responses AS (SELECT suite, item_id, pair_id, model, cell, outcome, text FROM open_ended_responses),
     verdicts AS (
         SELECT suite, item_id, pair_id, model, judge, cell, judge_prompt_sha256, verdict, matched, unscored_reason
         FROM open_ended_verdicts
     ),
     judged AS (
         SELECT verdicts.*, responses.item_id IS NOT NULL AS answered, outcome,
                regexp_replace(lower(matched), '[^\p{L}\p{N}]', '', 'g') AS quote,
                regexp_replace(lower(text), '[^\p{L}\p{N}]', '', 'g') AS answer
         FROM verdicts LEFT JOIN responses USING (suite, item_id, model)
     ),
     cells AS (SELECT suite, cell, count(*) AS n FROM pairs WHERE cell <> 'no_diff' GROUP BY ALL),
     largest AS (SELECT suite, max(n) AS most FROM cells GROUP BY suite),
     wanted AS (
         SELECT suite, operator || '.' || tier AS cell
         FROM (SELECT 'webdiff' AS suite, operator FROM webdiff_candidates
               UNION SELECT suite, operator FROM pairs WHERE tier <> 'no_diff')
         CROSS JOIN (VALUES ('easy'), ('medium'), ('hard')) AS tiers (tier)
     ),
     problems (suite, problem, model, judge, cell, n) AS (
         SELECT suite, 'pair whose page left the pool', NULL, NULL, cell, count(*)
         FROM pairs ANTI JOIN page_pool USING (page_id) GROUP BY ALL
         UNION ALL
         SELECT suite, 'pair short of the largest cell', NULL, NULL, cell, most - coalesce(n, 0)
         FROM wanted JOIN largest USING (suite) LEFT JOIN cells USING (suite, cell) WHERE coalesce(n, 0) < most
         UNION ALL
         SELECT suite, 'pair of another renderer than most', NULL, NULL, cell, count(*)
         FROM (SELECT *, mode(render_fingerprint) OVER (PARTITION BY suite) AS usual FROM pairs)
         WHERE render_fingerprint <> usual GROUP BY ALL
         UNION ALL
         SELECT suite, 'pair not asked', model, NULL, cell, count(*)
         FROM (SELECT suite, pair_id, cell, model
               FROM pairs JOIN (SELECT DISTINCT suite, model FROM responses) USING (suite))
         ANTI JOIN responses USING (suite, pair_id, model) GROUP BY ALL
         UNION ALL
         SELECT suite, 'response to a pair that is gone', model, NULL, cell, count(*)
         FROM responses ANTI JOIN pairs USING (suite, pair_id) GROUP BY ALL
         UNION ALL
         SELECT suite, 'failed call, due again', model, NULL, cell, count(*)
         FROM responses WHERE outcome = 'error' GROUP BY ALL
         UNION ALL
         SELECT suite, 'answer not judged', model, judge, cell, count(*)
         FROM (SELECT * FROM responses JOIN (SELECT DISTINCT suite, judge FROM verdicts) USING (suite))
         ANTI JOIN verdicts USING (suite, item_id, model, judge) GROUP BY ALL
         UNION ALL
         SELECT suite, 'failed call of the judge, due again', model, judge, cell, count(*)
         FROM open_ended_judge_replies WHERE outcome = 'error' GROUP BY ALL
         UNION ALL
         SELECT suite, 'verdict on a response that is gone', model, judge, cell, count(*)
         FROM judged WHERE NOT answered GROUP BY ALL
         UNION ALL
         SELECT suite, 'verdict older than the outcome', model, judge, cell, count(*)
         FROM judged
         WHERE answered
           AND CASE WHEN unscored_reason LIKE 'response: %' THEN outcome = 'completed' ELSE outcome <> 'completed' END
         GROUP BY ALL
         UNION ALL
         SELECT suite, 'verdict whose quote the answer no longer holds', model, judge, cell, count(*)
         FROM judged
         WHERE answered AND verdict = 'correct' AND NOT contains(coalesce(answer, ''), quote)
           AND NOT regexp_matches(matched, '…|\.{3}')
         GROUP BY ALL
         UNION ALL
         SELECT suite, 'verdict of another judge version than most', model, judge, cell, count(*)
         FROM (SELECT *, mode(judge_prompt_sha256) OVER (PARTITION BY suite, judge) AS usual FROM verdicts)
         WHERE judge_prompt_sha256 <> usual GROUP BY ALL
         UNION ALL
         SELECT suite, 'pair that the metrics do not count', model, judge, NULL, abs(n - pairs)
         FROM open_ended_metrics JOIN (SELECT suite, count(*) AS pairs FROM pairs GROUP BY suite) USING (suite)
         WHERE metric = 'accuracy' AND slice = 'overall' AND n <> pairs
         UNION ALL
         SELECT suite, 'success that the metrics do not count', model, judge, NULL,
                abs(sum(success::INT) - round(value * n))
         FROM scored JOIN open_ended_metrics USING (suite, model, judge)
         WHERE metric = 'accuracy' AND slice = 'overall'
         GROUP BY suite, model, judge, value, n
         HAVING sum(success::INT) <> round(value * n) AND count(*) = n
     )
SELECT suite, problem, model, judge, cell, n::BIGINT AS n FROM problems;

COMMENT ON VIEW stale IS 'What no longer fits together, as far as the tables tell.';
