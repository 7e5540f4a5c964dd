"""Crosslingual document retrieval: Cr5, its baselines and one evaluation for all of them."""

__version__ = "0.1.0"
