-- Pages of the sample. Needs view `sampled`.
SELECT 'sampled' AS stage, 'kept' AS reason, count(*) AS n FROM sampled
