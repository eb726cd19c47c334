"""DiffBench Assets: before/after screenshot pairs whose differences are known from code, and honest scores on them."""

__version__ = "0.1.0"
