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

Place = tuple[str, str]  # a setting or a series, and a system


@dataclass(frozen=True)
class Fits:
    """What the fits of a run say of themselves."""

    grids: pd.DataFrame  # `GRID`: a row per option and fit of a grid, numbered in the order tried
    dimensions: Mapping[Place, set[int]]  # of all fits of a place
    # by place, warnings that say so, each with the repetitions that have it
    found_nothing: Mapping[Place, Mapping[str, Sequence[str]]]
    warnings: Sequence[str]  # each once, with the fit that it is of


def read_fits(models: Sequence[str], pairs: pd.DataFrame, systems: Systems) -> Fits:
    """Read how models were made; `pairs` tells the series and kind of each setting."""
    kinds = pairs.drop_duplicates("setting").set_index("setting")[["series", "kind"]]
    grids = []
    dimensions: dict[Place, set[int]] = defaultdict(set)
    found_nothing: dict[Place, dict[str, list[str]]] = defaultdict(dict)
    warnings: dict[str, None] = {}  # each once
    for model in models:
        about = store.about(model)
        report = about.get("fit", {})
        keys = {key: about[key] for key in FIT if key in about}
        keys |= dict(kinds.loc[keys["setting"]])
        grids += [keys | row for row in _tried(report)]
        places = _places(keys)
        dimension = report.get("dimension", report.get("rank"))
        if dimension:
            for place in places:
                dimensions[place].add(dimension)
        title = systems.named(keys["system"], keys["setting"])
        for warning in report.get("warnings", []):
            warnings[f"{title}: {warning}"] = None
            if FOUND_NOTHING in warning:
                for place in places:
                    repetitions = found_nothing[place].setdefault(warning, [])
                    repetitions.append(keys["repetition"])
    return Fits(
        grids=pd.DataFrame(grids, columns=GRID, dtype=object).astype({"score": float}),
        dimensions=dict(dimensions),
        found_nothing=dict(found_nothing),
        warnings=list(warnings),
    )


def _places(keys: Mapping[str, str]) -> list[Place]:
    """Return the places of a fit: its system in its setting, and in its series."""
    labels = dict.fromkeys([keys["setting"], keys["series"]])  # once if they are the same
    return [(label, keys["system"]) for label in labels]


def _tried(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a row per fit of the grid that a fit tried, and option."""
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
