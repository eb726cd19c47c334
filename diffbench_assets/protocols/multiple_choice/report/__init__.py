"""The report of multiple-choice suites."""
