-- What no longer fits together and should be made again? Nothing to list means that the tables agree with each other.
SELECT suite, problem, model, judge, count(cell) AS cells, sum(n)::BIGINT AS n, list(cell ORDER BY cell)[:5] AS some_cells
FROM stale
GROUP BY suite, problem, model, judge
ORDER BY suite, n DESC, problem, model, judge;
