"""Snapshots of live pages, in a real Chromium and from a real server on loopback."""
