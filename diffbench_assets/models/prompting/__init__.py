"""Templates, fencing of hostile text, and replies that must be JSON."""
