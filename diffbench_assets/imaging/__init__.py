"""Pixel transforms, drawn scenes and seed images; no Dagster and no browser here."""
