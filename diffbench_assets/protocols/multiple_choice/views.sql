-- One row per model × multiple-choice question (rotation 0) of every suite: the grid that every score is an average over.
-- A question without a verdict is no success and stays in the denominator; `unscored` says why it has none.
CREATE OR REPLACE VIEW scored_choices AS
WITH questions AS (FROM multiple_choice_questions WHERE rotation = 0),
     models AS (SELECT DISTINCT suite, model FROM multiple_choice_responses)
SELECT questions.suite, models.model, question_id, questions.pair_id, questions.cell, category, "group", questions.order,
       options, answer, no_difference_label, suspected_truths, outcome, response.text AS reply, choice, error_kind,
       cost_usd, latency_s, verdict IS NOT NULL AS scored,
       CASE WHEN response.item_id IS NULL THEN 'no response'
            WHEN found.item_id IS NULL THEN 'no verdict' ELSE unscored_reason END AS unscored,
       coalesce(verdict = 'correct', false) AS success
FROM questions JOIN models USING (suite)
LEFT JOIN multiple_choice_responses AS response
       ON response.suite = questions.suite AND response.item_id = question_id AND response.model = models.model
LEFT JOIN multiple_choice_verdicts AS found
       ON found.suite = questions.suite AND found.item_id = question_id AND found.model = models.model;

COMMENT ON VIEW scored_choices IS 'A row for each model and question: what every score is an average over.';
