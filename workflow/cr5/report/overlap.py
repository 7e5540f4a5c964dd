"""Which languages have which concepts, and which of them each setting trains on: Cr5's Figure 1.

The paper's figure is a Venn diagram of three circles; bars over dots show any number of languages.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from cr5.report.canvas import COLOURS, FOOT, drawn, no_math
from cr5.report.markup import count_cell
from cr5.report.names import setting_name

KEYS = ["setting", "series", "kind", "repetition"]
COLUMNS = [*KEYS, "exist", "train", "concepts"]
MOST_REGIONS = 24
MOST_SETTINGS = 30
# inches
CELL = 0.42
ROW = 0.2
BARS = 1.5
NAMES = 2.4
SMALL = {"fontsize": 6.5, "ha": "center", "va": "center"}


def members(documents: Mapping[str, pd.Index]) -> pd.DataFrame:
    """Return concepts x languages, True where there is a document.

    Args:
        documents: the concepts of all kept documents, by language.
    """
    every = pd.Index(sorted(set().union(*documents.values())))
    return pd.DataFrame({x: every.isin(documents[x]) for x in sorted(documents)}, index=every)


def overlap(exist: pd.DataFrame, trained: pd.DataFrame) -> pd.DataFrame:
    """Count concepts by the languages that have them and the languages they train in.

    Args:
        exist: see `members`.
        trained: of one setting and repetition: concept, language.

    Returns:
        exist, train (languages in alphabetical order, separated by spaces; empty for none),
        concepts (number with exactly these); sorted by most languages, then most concepts.
    """
    languages = list(exist)
    train = np.zeros(exist.shape, bool)
    rows = exist.index.get_indexer(trained["concept"])
    train[rows, pd.Index(languages).get_indexer(trained["language"])] = True
    found, concepts = _distinct(np.hstack([exist.to_numpy(), train]))
    parts = np.split(found, 2, axis=1)
    names = {part: _names(x, languages) for part, x in zip(("exist", "train"), parts, strict=True)}
    table = pd.DataFrame({**names, "concepts": concepts})
    size = table["exist"].str.count(" ")
    order = table.assign(size=-size, n=-table["concepts"]).sort_values(
        ["size", "exist", "n", "train"]
    )
    return order[["exist", "train", "concepts"]].reset_index(drop=True)


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows of a boolean array and their counts."""
    packed, counts = np.unique(np.packbits(rows, axis=1), axis=0, return_counts=True)
    return np.unpackbits(packed, axis=1, count=rows.shape[1]).astype(bool), counts


def _names(members: np.ndarray, languages: list[str]) -> list[str]:
    return [" ".join(np.array(languages)[row]) for row in members]


def overlap_figure(table: pd.DataFrame) -> Figure:
    """Draw the number of concepts by the exact set of languages, and how many of them train.

    Shades show the share that trains. Regions beyond the largest `MOST_REGIONS` and settings
    beyond the first `MOST_SETTINGS` are not drawn, and the figure says so.

    Args:
        table: `COLUMNS`; repetitions are averaged.
    """
    exist, train = _counts(table)
    languages = sorted({x for region in exist.index for x in region.split()})
    shown = exist.nlargest(MOST_REGIONS).index
    regions = [region for region in exist.index if region in shown]
    settings = list(train.index[:MOST_SETTINGS])
    heights = [BARS, ROW * len(languages), ROW * len(settings)]
    with drawn() as figure:
        figure.set_size_inches(NAMES + CELL * len(regions), sum(heights) + 0.75 + FOOT)
        rows = figure.subplots(3, 1, sharex=True, height_ratios=heights)
        _bars(rows[0], exist[regions])
        _dots(rows[1], regions, languages)
        _cells(rows[2], train.loc[settings, regions], exist[regions])
        rows[2].set_xlabel(_beyond(exist, regions, train, settings), fontsize=6.5)
        _key(figure)
        figure.set_layout_engine("constrained", h_pad=0.02, hspace=0)
        figure.get_layout_engine().set(rect=(0, 0.03, 1, 0.97))
    return figure


def _counts(table: pd.DataFrame) -> tuple[pd.Series, pd.DataFrame]:
    """Return mean numbers: concepts by region, and those that train, settings x regions."""
    keys = ["setting", "repetition", "exist"]
    regions = table.groupby(keys, sort=False)["concepts"].sum().groupby("exist", sort=False).first()
    trains = table["concepts"].where(table["train"] != "", 0)
    names = _labels(table)
    sums = table.assign(trains=trains, name=names)
    sums = sums.groupby(["repetition", "name", "exist"], as_index=False)["trains"].sum()
    means = sums.pivot_table("trains", "name", "exist", aggfunc="mean", fill_value=0)
    return regions, means.loc[names.unique()]


def _labels(table: pd.DataFrame) -> pd.Series:
    """Name each setting, with the languages that train in it."""
    parts = table.groupby("setting", sort=False)["train"].agg(lambda x: set(" ".join(x).split()))
    labels = {
        name: f"{setting_name(name)} ({', '.join(sorted(found))})" for name, found in parts.items()
    }
    return table["setting"].map(labels)


def _bars(axes: Axes, exist: pd.Series) -> None:
    places = np.arange(len(exist))
    axes.bar(places, exist, color="0.35", width=0.6)
    for place, n in zip(places, exist, strict=True):
        axes.annotate(
            count_cell(n), (place, n), (0, 2), textcoords="offset points", ha="center", fontsize=6.5
        )
    axes.set_ylabel("concepts")
    axes.set_ylim(0, 1.12 * exist.max())
    axes.set_axisbelow(True)
    axes.grid(visible=False, axis="x")
    axes.tick_params(bottom=False, labelbottom=False)


def _dots(axes: Axes, regions: list[str], languages: list[str]) -> None:
    for place, region in enumerate(regions):
        within = [languages.index(x) for x in region.split()]
        axes.plot([place] * len(languages), range(len(languages)), "o", color="0.88")
        axes.plot([place] * len(within), within, "o-", color="0.15")
    _rows(axes, languages)


def _cells(axes: Axes, train: pd.DataFrame, exist: pd.Series) -> None:
    numbers = train.to_numpy()
    share = numbers / exist.to_numpy()
    for row, column in np.argwhere(numbers > 0):
        cell = (column - 0.5, column + 0.5)
        axes.fill_between(cell, row - 0.5, row + 0.5, **_shade(share[row, column]))
        axes.text(column, row, count_cell(numbers[row, column]), **SMALL)
    _rows(axes, list(train.index))


def _shade(share: float) -> dict:
    return {"color": COLOURS[0], "alpha": 0.1 + 0.5 * share, "linewidth": 0}


def _key(figure: Figure) -> None:
    """Explain the shades."""
    shares = {"few": 0, "half": 0.5, "all of a column's concepts train": 1}
    handles = [Patch(**_shade(share)) for share in shares.values()]
    figure.legend(handles, shares, loc="outside lower right", ncols=len(shares), handlelength=1.5)


def _rows(axes: Axes, names: list[str]) -> None:
    axes.set_yticks(range(len(names)), [no_math(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=False)
    axes.tick_params(length=0, labelbottom=False)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def _beyond(exist: pd.Series, regions: list, train: pd.DataFrame, settings: list) -> str:
    """Say what is not drawn."""
    said = []
    if rest := len(exist) - len(regions):
        n = count_cell(exist.drop(regions).sum())
        said.append(f"{rest} smaller regions, of {n} concepts together")
    if rest := len(train) - len(settings):
        said.append(f"{rest} more settings")
    return f"Not drawn: {' and '.join(said)}." if said else ""
