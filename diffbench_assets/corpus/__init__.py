"""The pool of source pages: fingerprints, crawling, labelling; no Dagster here."""
