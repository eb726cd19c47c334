-- What in webdiff no longer fits together, as far as the tables tell: one row per problem, model, judge and cell,
-- with the number of rows concerned. Dagster knows more (settings and code); this needs nothing but the files.
CREATE OR REPLACE VIEW stale AS
WITH pairs AS (SELECT pair_id, page_id, cell, operator, tier, render_fingerprint FROM webdiff_pairs),
     responses AS (SELECT item_id, pair_id, model, cell, outcome, text FROM webdiff_responses),
     verdicts AS (
         SELECT item_id, pair_id, model, judge, cell, judge_prompt_sha256, verdict, matched, unscored_reason
         FROM webdiff_verdicts
     ),
     judged AS (
         SELECT verdicts.*, responses.item_id IS NOT NULL AS answered, outcome,
                regexp_replace(lower(matched), '[^\p{L}\p{N}]', '', 'g') AS quote,
                regexp_replace(lower(text), '[^\p{L}\p{N}]', '', 'g') AS answer
         FROM verdicts LEFT JOIN responses USING (item_id, model)
     ),
     cells AS (SELECT cell, count(*) AS n FROM pairs WHERE cell <> 'no_diff' GROUP BY cell),
     wanted AS (
         SELECT operator || '.' || tier AS cell
         FROM (SELECT operator FROM webdiff_candidates UNION SELECT operator FROM pairs WHERE operator IS NOT NULL)
         CROSS JOIN (VALUES ('easy'), ('medium'), ('hard')) AS tiers (tier)
     ),
     problems (problem, model, judge, cell, n) AS (
         SELECT 'pair whose page left the pool', NULL, NULL, cell, count(*)
         FROM pairs ANTI JOIN page_pool USING (page_id) GROUP BY cell
         UNION ALL
         SELECT 'pair short of the largest cell', NULL, NULL, cell, (SELECT max(n) FROM cells) - coalesce(n, 0)
         FROM wanted LEFT JOIN cells USING (cell) WHERE coalesce(n, 0) < (SELECT max(n) FROM cells)
         UNION ALL
         SELECT 'pair of another renderer than most', NULL, NULL, cell, count(*)
         FROM pairs WHERE render_fingerprint <> (SELECT mode(render_fingerprint) FROM pairs) GROUP BY cell
         UNION ALL
         SELECT 'pair not asked', model, NULL, cell, count(*)
         FROM (SELECT pair_id, cell, model FROM pairs CROSS JOIN (SELECT DISTINCT model FROM responses))
         ANTI JOIN responses USING (pair_id, model) GROUP BY ALL
         UNION ALL
         SELECT 'response to a pair that is gone', model, NULL, cell, count(*)
         FROM responses ANTI JOIN pairs USING (pair_id) GROUP BY ALL
         UNION ALL
         SELECT 'failed call, due again', model, NULL, cell, count(*)
         FROM responses WHERE outcome = 'error' GROUP BY ALL
         UNION ALL
         SELECT 'answer not judged', model, judge, cell, count(*)
         FROM (SELECT * FROM responses CROSS JOIN (SELECT DISTINCT judge FROM verdicts))
         ANTI JOIN verdicts USING (item_id, model, judge) GROUP BY ALL
         UNION ALL
         SELECT 'failed call of the judge, due again', model, judge, cell, count(*)
         FROM webdiff_judge_replies WHERE outcome = 'error' GROUP BY ALL
         UNION ALL
         SELECT 'verdict on a response that is gone', model, judge, cell, count(*)
         FROM judged WHERE NOT answered GROUP BY ALL
         UNION ALL
         SELECT 'verdict older than the outcome', model, judge, cell, count(*)
         FROM judged
         WHERE answered
           AND CASE WHEN unscored_reason LIKE 'response: %' THEN outcome = 'completed' ELSE outcome <> 'completed' END
         GROUP BY ALL
         UNION ALL
         SELECT 'verdict whose quote the answer no longer holds', model, judge, cell, count(*)
         FROM judged
         WHERE answered AND verdict = 'correct' AND NOT contains(coalesce(answer, ''), quote)
           AND NOT regexp_matches(matched, '…|\.{3}')
         GROUP BY ALL
         UNION ALL
         SELECT 'verdict of another judge version than most', model, judge, cell, count(*)
         FROM (SELECT *, mode(judge_prompt_sha256) OVER (PARTITION BY judge) AS usual FROM verdicts)
         WHERE judge_prompt_sha256 <> usual GROUP BY ALL
         UNION ALL
         SELECT 'pair that the metrics do not count', metric.model, metric.judge, NULL, abs(metric.n - total.n)
         FROM webdiff_metrics AS metric CROSS JOIN (SELECT count(*) AS n FROM pairs) AS total
         WHERE metric.metric = 'accuracy' AND metric.slice = 'overall' AND metric.n <> total.n
         UNION ALL
         SELECT 'success that the metrics do not count', model, judge, NULL, abs(sum(success::INT) - round(value * n))
         FROM scored JOIN webdiff_metrics USING (model, judge)
         WHERE metric = 'accuracy' AND slice = 'overall'
         GROUP BY model, judge, value, n
         HAVING sum(success::INT) <> round(value * n) AND count(*) = n
     )
SELECT problem, model, judge, cell, n::BIGINT AS n FROM problems;
