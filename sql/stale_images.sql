-- Which answers were given to images that are no longer those of the pair? Reads every image, so it takes a while.
SELECT suite, model, cell, count(*) AS n, min(pair_id) AS example
FROM open_ended_responses JOIN (
    SELECT suite, pair_id, sha256(image_before.bytes) || ' ' || sha256(image_after.bytes) AS now FROM open_ended_pairs
) USING (suite, pair_id)
WHERE image_sha256 <> now
GROUP BY suite, model, cell
ORDER BY suite, n DESC, model, cell;
