-- Is there enough to draw from in every domain? Pages of the pool, accepted candidates and pairs made of them.
WITH accepted AS (
         SELECT page_id, count(*) AS candidates, count(DISTINCT operator || '.' || tier) AS cells
         FROM webdiff_candidates WHERE status = 'accepted' GROUP BY page_id
     ),
     made AS (SELECT page_id, count(*) AS pairs FROM webdiff_pairs GROUP BY page_id)
SELECT coalesce(domain, 'unknown') AS domain, count(*) AS pages, count(candidates) AS pages_with_candidates,
       coalesce(sum(candidates), 0)::BIGINT AS candidates,
       round(coalesce(sum(cells), 0) / count(*), 1) AS cells_per_page, coalesce(sum(pairs), 0)::BIGINT AS pairs
FROM page_pool LEFT JOIN accepted USING (page_id) LEFT JOIN made USING (page_id)
GROUP BY ALL
ORDER BY pages DESC, domain;
