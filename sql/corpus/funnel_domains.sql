-- Hosts, and how often lists name a host again. Needs view `domains`.
SELECT 'domains' AS stage, 'kept' AS reason, count(*) AS n FROM domains
UNION ALL
SELECT 'domains', 'same_host', coalesce(sum(cardinality(ranks)), 0) - count(*) FROM domains
