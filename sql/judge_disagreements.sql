-- Where do two judges see the same answer differently? Each with what it quoted and how it reasoned.
SELECT suite, a.judge AS judge_a, b.judge AS judge_b, model, a.pair_id, a.cell,
       a.success AS success_a, b.success AS success_b, a.answer, a.matched AS matched_a, b.matched AS matched_b,
       a.hallucinations AS hallucinations_a, b.hallucinations AS hallucinations_b,
       a.reasoning AS reasoning_a, b.reasoning AS reasoning_b, a.description
FROM scored AS a JOIN scored AS b USING (suite, model, item_id)
WHERE a.judge < b.judge AND a.scored AND b.scored AND a.success <> b.success
ORDER BY suite, judge_a, judge_b, model, a.cell, a.pair_id;
