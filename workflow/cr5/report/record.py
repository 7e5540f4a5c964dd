"""What made a run's results: its configuration, and versions, machine and sources in run.json."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from cr5.base import origin, provenance, sealed_json
from cr5.base.files import atomic_file
from cr5.base.machine import installed, machine


def write(
    results: str | Path,
    config: Mapping[str, Any],
    source: origin.Origin,
    notes: Iterable[str | Path],
) -> None:
    """Write run.json and the whole configuration, config.yaml, into the results.

    Args:
        results: folder of the run.
        config: validated.
        source: origin of the run's tables.
        notes: per language, a JSON file on where its documents come from.
    """
    about = {
        "seed": source.seed,
        "origin": origin.as_json(source),
        "versions": provenance.versions(),
        "machine": machine(),
        "installed": installed(),
        "sources": {Path(path).stem: sealed_json.read(path) for path in notes},
        "config": config,
    }
    sealed_json.write(Path(results) / "run.json", about)
    with atomic_file(Path(results) / "config.yaml") as path:
        path.write_text(yaml.safe_dump(dict(config), sort_keys=False), encoding="utf-8")
