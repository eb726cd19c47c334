"""One file a kind of model client."""
