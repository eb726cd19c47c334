"""Web pages: made, ingested, mutated, rendered and gated; no Dagster here."""
