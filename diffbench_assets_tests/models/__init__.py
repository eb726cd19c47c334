"""Tests of asking: registry, requests, clients, limits, journal, runs."""
