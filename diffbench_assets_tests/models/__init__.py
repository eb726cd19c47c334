"""Tests of asking: registry, requests, client, limits, journal."""
