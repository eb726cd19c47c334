"""The report of the corpus."""
