-- Mean closeness of every model and judge, in each order.
CREATE OR REPLACE VIEW toy_orders AS
SELECT suite, model, judge, "order", avg(closeness) AS closeness, count(*) AS n
FROM toy_verdicts JOIN toy_responses USING (suite, item_id, pair_id, model, cell)
GROUP BY ALL;
