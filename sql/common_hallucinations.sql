-- Which false claims does each model repeat? Claims that differ only in numbers and quoted words are one claim.
WITH claims AS (
         SELECT suite, judge, model, pair_id, has_diff, unnest(hallucinations) AS claim FROM scored
     ),
     kinds AS (
         SELECT *, trim(regexp_replace(regexp_replace(regexp_replace(lower(claim),
                '["“„«][^"”“»]*["”»]', '“…”', 'g'), '[0-9]+([.,][0-9]+)*', '#', 'g'), '\s+', ' ', 'g')) AS kind
         FROM claims
     )
SELECT suite, judge, model, count(*) AS claims, count(DISTINCT pair_id) AS pairs,
       count(*) FILTER (WHERE NOT has_diff) AS on_no_diff, kind, min(claim) AS example
FROM kinds
GROUP BY suite, judge, model, kind
ORDER BY suite, claims DESC, judge, model, kind
LIMIT 100;
