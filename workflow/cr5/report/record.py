"""What made a run's results: its configuration, and versions, machine and sources in run.json."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from cr5.base.artefacts import Artefact
from cr5.base.machine import code, kernels, machine, versions
from cr5.counts import documents

KIND = "report"
RUN, CONFIG = "run.json", "config.yaml"  # beside the folder of the report, and sealed with it


def read(results: str | Path) -> dict[str, Any]:
    """Read what made a run; empty where no run is recorded."""
    if not (Path(results) / RUN).is_file():
        return {}
    path = Artefact(Path(results) / "report", KIND).file(f"../{RUN}")
    return json.loads(path.read_text(encoding="utf-8"))


def about(
    config: Mapping[str, Any], facts: Mapping[str, Any], texts: Iterable[str | Path]
) -> dict[str, Any]:
    """What made a run, with the sources of the documents of each language."""
    own = f", all of a processor used ({' and '.join(kernels())})"
    return {
        "made": f"seed {config['seed']}, configuration {facts['configuration']}, code {code()}"
        + (own if config["processor"] == "own" else ""),
        "seed": config["seed"],
        "configuration": facts["configuration"],
        "code": code(),
        "versions": versions(),
        "machine": machine(),
        "sources": {Path(path).name: documents.notes_of(path) for path in texts},
        "systems": facts["systems"],
        "config": config,
    }


def write(results: str | Path, made: Mapping[str, Any]) -> None:
    """Write run.json and the whole configuration, config.yaml, into the results."""
    text = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    Path(results, RUN).write_text(text, encoding="utf-8")
    text = yaml.safe_dump(dict(made["config"]), sort_keys=False)
    Path(results, CONFIG).write_text(text, encoding="utf-8")
