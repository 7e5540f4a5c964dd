"""What made a run's results: its configuration, and versions, machine and sources in run.json."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from cr5.base import origin, provenance, sealed_json
from cr5.base.files import atomic_file
from cr5.base.machine import installed, machine
from cr5.report.names import Systems

NAME = "run.json"


def systems_of(results: str | Path) -> Systems:
    """Read how the systems of a run are named; by their entries where no run is recorded."""
    path = Path(results) / NAME
    return Systems(sealed_json.read(path).get("systems", {})) if path.is_file() else Systems()


def origin_of(results: str | Path) -> origin.Origin | None:
    """Read the origin of a run's tables; None where no run is recorded."""
    path = Path(results) / NAME
    return origin.read(path)[0] if path.is_file() else None


def about(
    config: Mapping[str, Any],
    source: origin.Origin,
    notes: Iterable[str | Path],
    systems: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """Return what made a run.

    Args:
        config: validated.
        source: origin of the run's tables.
        notes: per language, a JSON file on where its documents come from.
        systems: what each says of itself, see `plan.shown`.
    """
    return {
        "seed": source.seed,
        "origin": origin.as_json(source),
        "versions": provenance.versions(),
        "machine": machine(),
        "installed": installed(),
        "sources": {Path(path).stem: sealed_json.read(path) for path in notes},
        "systems": systems,
        "config": config,
    }


def write(results: str | Path, made: Mapping[str, Any]) -> None:
    """Write run.json and the whole configuration, config.yaml, into the results."""
    sealed_json.write(Path(results) / NAME, made)
    with atomic_file(Path(results) / "config.yaml") as path:
        text = yaml.safe_dump(dict(made["config"]), sort_keys=False)
        path.write_text(text, encoding="utf-8")
