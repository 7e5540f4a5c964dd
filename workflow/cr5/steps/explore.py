"""The page to explore a run's results is written."""

from __future__ import annotations

from pathlib import Path

from cr5.base.artefacts import Job
from cr5.base.errors import LeftOutError
from cr5.steps.contract import Inputs, Paths, Step
