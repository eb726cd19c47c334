"""Multiple choice (VDiff-Bench): one true statement among four; scoring is exact and needs no judge."""
