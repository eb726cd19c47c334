-- One row per host of all lists. Needs view `named` (host, registered_domain, list, rank), variable `shards`.
SELECT
    host,
    any_value(registered_domain) AS registered_domain,
    min(rank) AS rank,
    map(list(list ORDER BY list), list(rank ORDER BY list)) AS ranks,
    shard_of(any_value(registered_domain), getvariable('shards')) AS shard
FROM (
    SELECT host, any_value(registered_domain) AS registered_domain, list, min(rank) AS rank
    FROM named
    GROUP BY host, list
)
GROUP BY host
ORDER BY host
