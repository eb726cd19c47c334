"""The way out: every request of browser and HTTP client leaves through one gateway that decides what may be reached."""
