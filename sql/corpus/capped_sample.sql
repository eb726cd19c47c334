-- The pages with the smallest lots of each kind. Needs view `page` (id, kind), variables `seed` and `cap`.
SELECT id, kind
FROM page
QUALIFY row_number() OVER (PARTITION BY kind ORDER BY lot(getvariable('seed'), id), id) <= getvariable('cap')
ORDER BY id
