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
