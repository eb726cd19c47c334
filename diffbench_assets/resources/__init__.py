"""Dagster resources: the lake, the browser, the embedder and the chat endpoints."""
