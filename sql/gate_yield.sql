-- Which candidates does the gate turn down, and why? Share of each status within its operator and tier.
SELECT operator, tier, status, count(*) AS candidates,
       round(count(*) / sum(count(*)) OVER (PARTITION BY operator, tier), 3) AS share
FROM webdiff_candidates WHERE status <> 'spare'
GROUP BY operator, tier, status
ORDER BY operator, list_position(['easy', 'medium', 'hard'], tier), status <> 'accepted', candidates DESC, status;
