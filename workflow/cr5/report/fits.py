"""What the fits of a run say of themselves: what they tried and chose, and what they warn of."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from cr5.fitting.options import FOUND_NOTHING
from cr5.models import store
from cr5.report.names import Systems

FIT = ["setting", "series", "kind", "system", "repetition"]
GRID = FIT + ["fit", "option", "value", "criterion", "score", "chosen"]
ONE_VALUE = (int, float, str)  # others are printed as JSON


class ReportedFit(NamedTuple):
    """Fits that are reported as one: of a system in a setting, or in a series of settings."""

    label: str  # the setting or the series
    system: str


@dataclass(frozen=True)
class Fits:
    """What the fits of a run say of themselves."""

    grids: pd.DataFrame  # `GRID`: a row per option and fit of a grid, numbered in the order tried
    dimensions: Mapping[ReportedFit, set[int]]  # of all fits that are reported as one
    # by reported fit, warnings that say so, each with the repetitions that have it
    found_nothing: Mapping[ReportedFit, Mapping[str, Sequence[str]]]
    warnings: Sequence[str]  # each once, with the fit that it is of


@dataclass(frozen=True)
class FitReport:
    """What one fit says of itself."""

    setting: str
    series: str
    kind: str
    system: str
    repetition: str
    report: Mapping[str, Any]  # as the model's about.json has it

    @property
    def warnings(self) -> list[str]:
        """What it warns of."""
        return self.report.get("warnings", [])

    @property
    def dimension(self) -> int | None:
        """The columns of its embeddings, if it tells them."""
        rank = self.report.get("rank")
        return self.report.get("dimension", rank)

    @property
    def reported_as(self) -> list[ReportedFit]:
        """Its system in its setting, and in its series where that is another name."""
        in_setting = ReportedFit(self.setting, self.system)
        in_series = ReportedFit(self.series, self.system)
        return list(dict.fromkeys([in_setting, in_series]))


def read_fits(models: Sequence[str | Path], pairs: pd.DataFrame, systems: Systems) -> Fits:
    """Read how models were made; `pairs` tells the series and kind of each setting."""
    settings = pairs.drop_duplicates("setting").set_index("setting")
    fits = [_read_fit(model, settings) for model in models]
    return Fits(
        grids=_grids(fits),
        dimensions=_dimensions(fits),
        found_nothing=_found_nothing(fits),
        warnings=_warnings(fits, systems),
    )


def _read_fit(model: str | Path, settings: pd.DataFrame) -> FitReport:
    """Read how a model was made; `settings` has the series and kind of each."""
    about = store.about(model)
    setting = about["setting"]
    return FitReport(
        setting=setting,
        series=settings.loc[setting, "series"],
        kind=settings.loc[setting, "kind"],
        system=about["system"],
        repetition=about["repetition"],
        report=about.get("fit", {}),
    )


def _grids(fits: Sequence[FitReport]) -> pd.DataFrame:
    """Return all that was tried: `GRID`."""
    rows = []
    for fit in fits:
        keys = {name: getattr(fit, name) for name in FIT}
        rows += [keys | row for row in _grid_rows(fit.report)]
    grids = pd.DataFrame(rows, columns=GRID, dtype=object)
    return grids.astype({"score": float})


def _grid_rows(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a row for each option of each fit that was tried on the grid."""
    criterion = report.get("criterion", "")
    for index, tried in enumerate(report.get("validation", [])):
        for option, value in tried.items():
            if option == criterion:
                continue
            if type(value) not in ONE_VALUE:
                value = json.dumps(value)
            yield {
                "fit": index + 1,
                "criterion": criterion,
                "score": tried[criterion],
                "option": option,
                "value": value,
                "chosen": index == report["kept"],
            }


def _dimensions(fits: Sequence[FitReport]) -> dict[ReportedFit, set[int]]:
    dimensions = defaultdict(set)
    for fit in fits:
        if not fit.dimension:
            continue
        for reported_fit in fit.reported_as:
            dimensions[reported_fit].add(fit.dimension)
    return dict(dimensions)


def _found_nothing(fits: Sequence[FitReport]) -> dict[ReportedFit, dict[str, list[str]]]:
    """Return the warnings that a fit found nothing, each with the repetitions that have it."""
    repetitions_of: dict[ReportedFit, dict[str, list[str]]] = {}
    for fit in fits:
        warnings = [warning for warning in fit.warnings if FOUND_NOTHING in warning]
        for warning in warnings:
            for reported_fit in fit.reported_as:
                by_warning = repetitions_of.setdefault(reported_fit, {})
                by_warning.setdefault(warning, []).append(fit.repetition)
    return repetitions_of


def _warnings(fits: Sequence[FitReport], systems: Systems) -> list[str]:
    """Return each warning once, with the fit that it is of."""
    lines = []
    for fit in fits:
        title = systems.named(fit.system, fit.setting)
        lines += [f"{title}: {warning}" for warning in fit.warnings]
    return list(dict.fromkeys(lines))
