-- Signatures in the order in which pages are kept. Needs view `signed` (id, signature), variable `seed`.
SELECT id, signature
FROM signed
ORDER BY lot(getvariable('seed'), id), id
