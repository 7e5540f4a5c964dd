"""Crosslingual document retrieval: Cr5, its baselines and one evaluation for all of them."""

__version__ = "0.1.0"

ROOMS = (
    "base",
    "counts",
    "corpora",
    "splits",
    "search",
    "models",
    "tasks",
    "scores",
    "fitting",
    "systems",
    "report",
    "plan",
)
"""The folders of this package, lowest first: each imports from itself and from those before it."""
