"""People accept, rewrite or discard the options of questions on a local page; how far they agree."""
