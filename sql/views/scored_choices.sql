-- One row per model × multiple-choice question (rotation 0) of every suite: the grid that every score is an average over.
-- A question without a verdict is no success and stays in the denominator; `unscored` says why it has none.
CREATE OR REPLACE VIEW scored_choices AS
WITH questions AS (
         SELECT * FROM (
             FROM webdiff_mcq_questions UNION ALL BY NAME FROM lowlevel_mcq_questions
         ) WHERE rotation = 0
     ),
     responses AS (
         SELECT 'webdiff_mcq' AS suite, * FROM webdiff_mcq_responses
         UNION ALL BY NAME SELECT 'lowlevel_mcq' AS suite, * FROM lowlevel_mcq_responses
     ),
     verdicts AS (
         SELECT 'webdiff_mcq' AS suite, * FROM webdiff_mcq_verdicts
         UNION ALL BY NAME SELECT 'lowlevel_mcq' AS suite, * FROM lowlevel_mcq_verdicts
     ),
     models AS (SELECT DISTINCT suite, model FROM responses)
SELECT questions.suite, models.model, question_id, questions.pair_id, questions.cell, category, "group", questions.order,
       options, answer, no_difference_label, suspected_truths, outcome, response.text AS reply, choice, error_kind,
       cost_usd, latency_s, verdict IS NOT NULL AS scored,
       CASE WHEN response.item_id IS NULL THEN 'no response'
            WHEN found.item_id IS NULL THEN 'no verdict' ELSE unscored_reason END AS unscored,
       coalesce(verdict = 'correct', false) AS success
FROM questions JOIN models USING (suite)
LEFT JOIN responses AS response
       ON response.suite = questions.suite AND response.item_id = question_id AND response.model = models.model
LEFT JOIN verdicts AS found
       ON found.suite = questions.suite AND found.item_id = question_id AND found.model = models.model;
