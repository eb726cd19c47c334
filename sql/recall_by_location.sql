-- Where in the viewport do models look? Recall by the area of the screen that holds the target.
SELECT suite, judge, model, location, round(avg(success::INT), 3) AS recall, count(*) AS n,
       count(*) FILTER (WHERE NOT scored) AS n_unscored
FROM (SELECT * REPLACE (coalesce(location, 'unknown') AS location) FROM scored WHERE has_diff)
GROUP BY suite, judge, model, location
ORDER BY suite, judge, model,
         list_position(['top left', 'top center', 'top right', 'middle left', 'center', 'middle right', 'bottom left',
                        'bottom center', 'bottom right'], location);
