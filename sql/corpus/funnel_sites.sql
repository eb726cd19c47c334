-- Sites that lead to pages or why not, and the addresses they name. Needs view `sites`.
SELECT 'sites' AS stage, if(urls_kept > 0, 'kept', outcome) AS reason, count(*) AS n FROM sites GROUP BY reason
UNION ALL
SELECT 'urls', 'kept', coalesce(sum(urls_kept), 0) FROM sites
UNION ALL
SELECT 'urls', entry.key, sum(entry.value)
FROM (SELECT unnest(map_entries(left_out)) AS entry FROM sites)
GROUP BY entry.key
