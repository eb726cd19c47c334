-- Pages that came, or the kind of failure. Needs view `crawled`.
SELECT 'crawled' AS stage, coalesce(split_part(failure, ':', 1), 'kept') AS reason, count(*) AS n
FROM crawled
GROUP BY reason
