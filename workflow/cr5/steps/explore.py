"""The page to explore a run's results is written."""

from __future__ import annotations
