-- Which answers were given to images that are no longer those of the pair? Reads every image, so it takes a while.
SELECT model, cell, count(*) AS n, min(pair_id) AS example
FROM webdiff_responses JOIN (
    SELECT pair_id, sha256(image_before.bytes) || ' ' || sha256(image_after.bytes) AS now FROM webdiff_pairs
) USING (pair_id)
WHERE image_sha256 <> now
GROUP BY model, cell
ORDER BY n DESC, model, cell;
