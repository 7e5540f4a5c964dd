"""What the fits of a run say of themselves: what they tried and chose, and what they warn of."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from cr5.fitting.options import FOUND_NOTHING
from cr5.models import store
from cr5.report.names import Systems

FIT = ["setting", "series", "kind", "system", "repetition"]
GRID = FIT + ["fit", "option", "value", "criterion", "score", "chosen"]

ReportedFit = tuple[str, str]  # a setting or a series, and a system


@dataclass(frozen=True)
class Fits:
    """What the fits of a run say of themselves."""

    grids: pd.DataFrame  # `GRID`: a row per option and fit of a grid, numbered in the order tried
    dimensions: Mapping[ReportedFit, set[int]]  # of all fits that are reported as one
    # by reported fit, warnings that say so, each with the repetitions that have it
    found_nothing: Mapping[ReportedFit, Mapping[str, Sequence[str]]]
    warnings: Sequence[str]  # each once, with the fit that it is of


def read_fits(models: Sequence[str], pairs: pd.DataFrame, systems: Systems) -> Fits:
    """Read how models were made; `pairs` tells the series and kind of each setting."""
    first_pairs = pairs.drop_duplicates("setting").set_index("setting")
    kinds = first_pairs[["series", "kind"]]
    grid_rows = []
    dimensions: dict[ReportedFit, set[int]] = defaultdict(set)
    found_nothing: dict[ReportedFit, dict[str, list[str]]] = defaultdict(dict)
    sentences: dict[str, None] = {}  # each once
    for model in models:
        about = store.about(model)
        report = about.get("fit", {})
        keys = {key: about[key] for key in FIT if key in about}
        setting = keys["setting"]
        system = keys["system"]
        keys |= dict(kinds.loc[setting])
        grid_rows += [keys | row for row in _grid_rows(report)]
        warnings = report.get("warnings", [])
        dimension = report.get("dimension", report.get("rank"))
        for reported_fit in _reported_fits(keys):
            if dimension:
                dimensions[reported_fit].add(dimension)
            for warning in warnings:
                if FOUND_NOTHING in warning:
                    repetitions = found_nothing[reported_fit].setdefault(warning, [])
                    repetitions.append(keys["repetition"])
        title = systems.named(system, setting)
        sentences |= {f"{title}: {warning}": None for warning in warnings}
    grids = pd.DataFrame(grid_rows, columns=GRID, dtype=object)
    return Fits(
        grids=grids.astype({"score": float}),
        dimensions=dict(dimensions),
        found_nothing=dict(found_nothing),
        warnings=list(sentences),
    )


def _reported_fits(keys: Mapping[str, str]) -> list[ReportedFit]:
    """Return what a fit is reported as: its system in its setting, and in its series."""
    setting = keys["setting"]
    series = keys["series"]
    system = keys["system"]
    labels = dict.fromkeys([setting, series])  # once if they are the same
    return [(label, system) for label in labels]


def _grid_rows(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a row for each option of each fit that was tried on the grid."""
    criterion = report.get("criterion", "")
    for number, entry in enumerate(report.get("validation", [])):
        for option, value in entry.items():
            if option == criterion:
                continue
            if type(value) not in (int, float, str):
                value = json.dumps(value)
            yield {
                "fit": number + 1,
                "criterion": criterion,
                "score": entry[criterion],
                "option": option,
                "value": value,
                "chosen": number == report["kept"],
            }
