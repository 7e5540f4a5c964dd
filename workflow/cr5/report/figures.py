"""The figures of a run: curves of success, of validation and of more data, and bars of overlap."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cr5.contracts.training import CRITERIA
from cr5.report.canvas import COLOURS, Drawn, panels, styled
from cr5.report.frames import by_direction, by_first_measure, rows_with, with_pairs
from cr5.report.names import Systems, direction, similarity_name, words
from cr5.report.published import training_concepts
from cr5.report.run import Run
from cr5.report.table import count
from cr5.scores.ranks import DIRECTION
from cr5.scores.summary import ALL

CURVES = 4  # of the first figure: the best, the best of those that map word vectors, and these
OURS = "cr5"
FLOOR = "lexical_overlap"
MEANS = ["value", "ci_low", "ci_high", "n_queries", "n_candidates"]
CURVE = ["setting", "system"] + DIRECTION
CURVE_POINT = ["setting", "label", "system"] + DIRECTION + ["similarity", "k"]
DATA_PLACE = ["setting"] + DIRECTION
DATA_CURVE = ["system", "series"] + DIRECTION
GRID_POINT = ["setting", "option", "criterion", "system", "value"]
CRITERION_TITLES = {name: criterion.title for name, criterion in CRITERIA.items()}
MOST_REGIONS = 24
MOST_SETTINGS = 4


def _measured(metric: str, frame: pd.DataFrame) -> str:
    """Name a metric and the measures that candidates were ordered by."""
    measures = [similarity_name(name) for name in frame["similarity"].unique()]
    return ", ".join([metric] + measures)


def first_figure(run: Run) -> Drawn | None:
    """Four systems, means over all directions.

    In the setting that has most of them.
    """
    pooled = rows_with(run.curves, query_language=ALL)
    if pooled.empty:
        return None
    means = by_first_measure(pooled)
    row_with_most = means["directions"].idxmax()
    setting = means.loc[row_with_most, "setting"]
    curves = rows_with(means, setting=setting).set_index("system")
    at_one = rows_with(curves, k=1)
    systems = chosen(at_one["value"], run.systems)
    shown = curves.loc[systems].reset_index()
    frame = shown.assign(
        x=shown["k"],
        line="",
        panel=_setting_with_sizes(shown.iloc[0]),
    )
    x_label = "k nearest candidates (logarithmic)"
    y_label = _measured("Success@k", frame)
    return panels(frame, x_label, y_label, run.systems, shown)


def _setting_with_sizes(mean: pd.Series) -> str:
    """Name the setting of a mean, and tell how much was asked and searched."""
    setting = words(mean["setting"])
    n_directions = count(mean["directions"])
    n_queries = count(mean["n_queries"])
    n_candidates = count(mean["n_candidates"])
    return f"{setting}: {n_directions} directions, {n_queries} queries, {n_candidates} candidates"


def chosen(at_one: pd.Series, systems: Systems) -> list[str]:
    """Choose the best system, Cr5, the best of word vectors, and the floor, or else the next best.

    They stand by falling Success@1.
    """
    ordered = at_one.sort_values(ascending=False, kind="stable")
    order = list(ordered.index)
    best = order[0]
    of_vectors = [system for system in order if systems.of(system).maps_vectors]
    best_of_vectors = of_vectors[:1]
    wanted = [best, OURS] + best_of_vectors + [FLOOR] + order
    once_each = dict.fromkeys(wanted)
    candidates = [system for system in once_each if system in order]
    shown = candidates[:CURVES]
    return [system for system in order if system in shown]


def pair_figure(run: Run) -> Drawn | None:
    """All systems and settings, means of both directions, as Figure 2 of the Cr5 paper.

    By CSLS, as there, where any system has it.
    """
    curves = run.curves
    is_pooled = curves["query_language"] == ALL
    is_crowding = curves["setting"].isin(run.facts.crowding)
    curves = curves[~is_pooled & ~is_crowding]
    shown = rows_with(curves, similarity="csls")
    if shown.empty:
        shown = by_first_measure(curves)
    means = both_directions(shown)
    ks = means["k"]
    if run.main_task == "documents":  # a query has one answer
        means["chance"] = ks / means["n_candidates"]
    first = means["query_language"]
    second = means["target_language"]
    pair = first + "–" + second
    frame = means.assign(x=ks, line=means["label"], panel=pair)
    y_label = _measured("Success@k", frame)
    return panels(frame, "k", y_label, run.systems, means)


def both_directions(curves: pd.DataFrame) -> pd.DataFrame:
    """Average the directions of each pair, for every k that both have, and so the intervals."""
    pairs = with_pairs(curves)
    curves = curves.assign(
        query_language=pairs["first"],
        target_language=pairs["second"],
    )
    points = curves.groupby(CURVE_POINT, sort=False)
    means = points[MEANS].mean()
    means["directions"] = points.size()
    means = means.reset_index()
    n_directions = means.groupby(CURVE)["directions"].transform("max")
    has_both = means["directions"] == n_directions
    return means[has_both].reset_index(drop=True)


def data_figure(run: Run) -> Drawn | None:
    """Success@1 over the number of training concepts of a pair.

    A panel per direction, a curve of two or more points: what more data bring (Cr5, Sec. 4.2).
    """
    table = _data_points(run)
    frame = table.assign(
        chance=1 / table["n_candidates"],
        x=table["concepts"],
        line=table["series"],
        panel=direction(table["query_language"], table["target_language"]),
    )
    x_label = "training concepts of the pair"
    y_label = _measured("Success@1", frame)
    return panels(by_direction(frame), x_label, y_label, run.systems, table)


def _data_points(run: Run) -> pd.DataFrame:
    """Return the points of all curves: Success@1 with the number of training concepts."""
    scores = rows_with(run.scores, task=run.main_task)
    at_one = rows_with(by_first_measure(scores), metric="Success@1")
    not_drawn = ["best", "published", "series"]
    at_one = at_one.drop(columns=not_drawn)
    concepts = training_concepts(run.pairs)
    with_concepts = at_one.merge(concepts, "left", DATA_PLACE)
    rows = [point.model_dump() for point in run.facts.points]
    columns = ["series"] + DATA_PLACE
    points = pd.DataFrame(rows, columns=columns, dtype=object)
    of_series = with_concepts.merge(points, on=DATA_PLACE)
    has_several_points = of_series.duplicated(DATA_CURVE, keep=False)
    curves = of_series[has_several_points]
    order = DATA_CURVE + ["concepts"]
    return curves.sort_values(order, kind="stable", ignore_index=True)


def validation_figure(run: Run) -> Drawn | None:
    """The criterion on validation queries over each hyperparameter; a ring marks what was chosen.

    Each value has the best score found with it, of several repetitions the mean. Over the number of
    dimensions after Figures 3 and 4 of Platt et al. (2010).
    """
    grids = run.fits.grids
    return panels(_tried(grids), "value", "on validation queries", run.systems, grids)


def _tried(grids: pd.DataFrame) -> pd.DataFrame:
    """Options of which several values were tried, as `panels` takes them."""
    grids = grids.replace({"option": {"rank": "dimension"}})
    options = grids.groupby(["setting", "option"])
    n_values = options["value"].transform("nunique")
    tried = grids[n_values > 1]
    fits = tried.groupby(GRID_POINT + ["repetition"], sort=False, dropna=False)
    best = fits.agg({"score": "max", "chosen": "max"}).reset_index()
    repetitions = best.groupby(GRID_POINT, sort=False, dropna=False)
    points = repetitions.agg({"score": "mean", "chosen": "max"}).reset_index()
    names = points["setting"] + ": " + points["option"]
    names_in_words = names.map(words)
    criteria = points["criterion"].map(CRITERION_TITLES)
    return points.assign(
        x=points["value"],
        value=points["score"],
        line="",
        panel=names_in_words + " (" + criteria + ")",
    )


def overlap_figure(run: Run) -> Drawn:
    """Concepts by the languages that have them, the largest regions, and how many train.

    After the Cr5 paper's Figure 1, as bars, for any number of languages.
    """
    table = _regions(run)
    shown = table.head(MOST_REGIONS)
    titles = {"concepts": "all concepts"}
    for setting in table.columns[2:][:MOST_SETTINGS]:
        titles[setting] = f"train in {words(setting)}"
    width = 0.7 + 1.7 * len(titles)  # inches
    height = 0.9 + 0.2 * len(shown)
    with styled():
        figure = Figure((width, height))
        [row_of_axes] = figure.subplots(1, len(titles), sharey=True, squeeze=False)
        for axes, (column, title) in zip(row_of_axes, titles.items(), strict=True):
            _overlap_bars(axes, shown, column)
            axes.set_title(title)
        row_of_axes[0].invert_yaxis()  # which all share
        figure.tight_layout()
    return Drawn(figure, table)


def _overlap_bars(axes: Axes, regions: pd.DataFrame, column: str) -> None:
    """Draw all concepts of each region as grey bars, and upon these the counts of a column."""
    languages = regions["languages"]
    counts = regions[column]
    labels = counts.map(count).tolist()
    n_concepts = regions["concepts"]
    bars = axes.barh(languages, n_concepts, color="0.85")
    axes.bar_label(bars, labels, padding=2, fontsize=6)
    axes.barh(languages, counts, color=COLOURS[0])
    axes.grid(visible=False)


def _regions(run: Run) -> pd.DataFrame:
    """Count concepts by the languages that have them: all, and those that train in each setting."""
    languages = _languages_of_concepts(run)
    concepts = languages.index
    is_trained = pd.DataFrame(index=concepts)
    for setting, documents in run.trained.items():
        is_trained[setting] = concepts.isin(documents["concept"])
    table = is_trained.groupby(languages).sum().astype(int)
    n_concepts = languages.value_counts()
    table.insert(0, "concepts", n_concepts)
    n_more_languages = table.index.str.count(" ")
    order = np.lexsort((-table["concepts"], -n_more_languages))  # by the last key first
    return table.iloc[order].reset_index()


def _languages_of_concepts(run: Run) -> pd.Series:
    """Return the languages that have each concept, such as `da en it`, by concept."""
    language_of = []
    for language, titles in sorted(run.titles.items()):
        concepts = titles.index
        language_of.append(pd.Series(language, concepts))
    languages = pd.concat(language_of)
    by_concept = languages.groupby(level=0)
    return by_concept.agg(" ".join).rename("languages")
