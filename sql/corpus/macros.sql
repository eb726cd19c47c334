-- What the corpus queries share. Python has the same functions: sampling.lot and hosts.shard_of.

-- The lot an id draws under a seed: the first 128 bits of seeds.digest(seed, id), the smallest wins.
CREATE MACRO lot(seed, id) AS left(sha256(concat(length(seed), ':', seed, length(id), ':', id)), 32)::UUID;

-- The shard of a registered domain, 0 … shards - 1.
CREATE MACRO shard_of(registered, shards) AS
    (concat('0x', left(sha256(concat('5:shard', length(registered), ':', registered)), 15))::UBIGINT % shards)::INTEGER;
