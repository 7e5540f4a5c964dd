"""The figures of a run: curves of success, of validation and of more data, and bars of overlap."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from cr5.contracts.training import CRITERIA
from cr5.report.canvas import COLOURS, Drawn, panels, styled
from cr5.report.names import Systems, by_direction, direction, similarity_name, words
from cr5.report.published import training_concepts
from cr5.report.run import Run, by_first_measure
from cr5.report.table import count
from cr5.scores.ranks import DIRECTION
from cr5.scores.summary import ALL

CURVES = 4  # of the first figure: the best, the best of those that map word vectors, and these
OURS = "cr5"
FLOOR = "lexical_overlap"
MEANS = ["value", "ci_low", "ci_high", "n_queries", "n_candidates"]
MOST_REGIONS = 24
MOST_SETTINGS = 4


def _measured(metric: str, frame: pd.DataFrame) -> str:
    """Name a metric and the measures that candidates were ordered by."""
    measures = [similarity_name(name) for name in frame["similarity"].unique()]
    return ", ".join([metric, *measures])


def first_figure(run: Run) -> Drawn | None:
    """Four systems, means over all directions.

    In the setting that has most of them.
    """
    curves = run.curves[run.curves["query_language"] == ALL]
    if curves.empty:
        return None
    curves = by_first_measure(curves)
    largest = curves.loc[curves["directions"].idxmax(), "setting"]
    curves = curves[curves["setting"] == largest]
    at_one = curves[curves["k"] == 1].set_index("system")["value"]
    shown = curves.set_index("system").loc[chosen(at_one, run.systems)].reset_index()
    counts = shown.iloc[0][["directions", "n_queries", "n_candidates"]]
    title = "{:,.0f} directions, {:,.0f} queries, {:,.0f} candidates".format(*counts)
    frame = shown.assign(x=shown["k"], line="", panel=f"{words(largest)}: {title}")
    x_label = "k nearest candidates (logarithmic)"
    return panels(frame, x_label, _measured("Success@k", frame), run.systems, shown)


def chosen(at_one: pd.Series, systems: Systems) -> list[str]:
    """Choose the best system, Cr5, the best of word vectors, and the floor, or else the next best.

    They stand by falling Success@1.
    """
    order = list(at_one.sort_values(ascending=False, kind="stable").index)
    of_vectors = [system for system in order if systems.of(system).maps_vectors]
    wanted = dict.fromkeys([order[0], OURS, *of_vectors[:1], FLOOR, *order])
    shown = [system for system in wanted if system in order][:CURVES]
    return [system for system in order if system in shown]


def pair_figure(run: Run) -> Drawn | None:
    """All systems and settings, means of both directions, as Figure 2 of the Cr5 paper.

    By CSLS, as there, where any system has it.
    """
    is_pooled = run.curves["query_language"] == ALL
    is_crowding = run.curves["setting"].isin(run.facts.crowding)
    curves = run.curves[~is_pooled & ~is_crowding]
    is_csls = curves["similarity"] == "csls"
    curves = curves[is_csls] if is_csls.any() else by_first_measure(curves)
    means = both_directions(curves)
    if run.main_task == "documents":  # a query has one answer
        means["chance"] = means["k"] / means["n_candidates"]
    pair = means["query_language"] + "–" + means["target_language"]
    frame = means.assign(x=means["k"], line=means["label"], panel=pair)
    return panels(frame, "k", _measured("Success@k", frame), run.systems, means)


def both_directions(curves: pd.DataFrame) -> pd.DataFrame:
    """Average the directions of each pair, for every k that both have, and so the intervals."""
    pair = np.sort(curves[DIRECTION].to_numpy(), axis=1)
    curves = curves.assign(query_language=pair[:, 0], target_language=pair[:, 1])
    keys = ["setting", "label", "system", *DIRECTION, "similarity", "k"]
    groups = curves.groupby(keys, sort=False)
    means = groups[MEANS].mean().assign(directions=groups.size()).reset_index()
    curve = means.groupby(["setting", "system", *DIRECTION])
    n_directions = curve["directions"].transform("max")
    return means[means["directions"] == n_directions].reset_index(drop=True)


def data_figure(run: Run) -> Drawn | None:
    """Success@1 over the number of training concepts of a pair.

    A panel per direction, a curve of two or more points: what more data bring (Cr5, Sec. 4.2).
    """
    scores = by_first_measure(run.scores[run.scores["task"] == run.main_task])
    scores = scores[scores["metric"] == "Success@1"]
    scores = scores.drop(columns=["best", "published", "series"])
    places = ["setting", *DIRECTION]
    rows = [point.model_dump() for point in run.facts.points]
    points = pd.DataFrame(rows, columns=["series", *places], dtype=object)
    table = scores.merge(training_concepts(run.pairs), "left", places).merge(points, on=places)
    curve = ["system", "series", *DIRECTION]
    table = table[table.duplicated(curve, keep=False)]
    table = table.sort_values([*curve, "concepts"], kind="stable", ignore_index=True)
    frame = table.assign(
        chance=1 / table["n_candidates"],
        x=table["concepts"],
        line=table["series"],
        panel=direction(table["query_language"], table["target_language"]),
    )
    x_label = "training concepts of the pair"
    y_label = _measured("Success@1", frame)
    return panels(by_direction(frame), x_label, y_label, run.systems, table)


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
    n_values = grids.groupby(["setting", "option"])["value"].transform("nunique")
    keys = ["setting", "option", "criterion", "system", "value"]
    fits = grids[n_values > 1].groupby([*keys, "repetition"], sort=False, dropna=False)
    best = fits.agg({"score": "max", "chosen": "max"}).reset_index()
    repetitions = best.groupby(keys, sort=False, dropna=False)
    frame = repetitions.agg({"score": "mean", "chosen": "max"}).reset_index()
    criteria = frame["criterion"].map(_criterion_title)
    options = (frame["setting"] + ": " + frame["option"]).map(words)
    return frame.assign(
        x=frame["value"],
        value=frame["score"],
        line="",
        panel=options + " (" + criteria + ")",
    )


def _criterion_title(criterion: str) -> str:
    return CRITERIA[criterion].title


def overlap_figure(run: Run) -> Drawn:
    """Concepts by the languages that have them, the largest regions, and how many train.

    After the Cr5 paper's Figure 1, as bars, for any number of languages.
    """
    table = _regions(run)
    shown = table.head(MOST_REGIONS)
    titles = {"concepts": "all concepts"}
    for setting in table.columns[2:][:MOST_SETTINGS]:
        titles[setting] = f"train in {words(setting)}"
    with styled():
        figure = Figure((0.7 + 1.7 * len(titles), 0.9 + 0.2 * len(shown)))
        row_of_axes = figure.subplots(1, len(titles), sharey=True, squeeze=False)[0]
        for axes, (column, title) in zip(row_of_axes, titles.items(), strict=True):
            bars = axes.barh(shown["languages"], shown["concepts"], color="0.85")
            labels = [count(number) for number in shown[column]]
            axes.bar_label(bars, labels, padding=2, fontsize=6)
            axes.barh(shown["languages"], shown[column], color=COLOURS[0])
            axes.set_title(title)
            axes.grid(visible=False)
        axes.invert_yaxis()
        figure.tight_layout()
    return Drawn(figure, table)


def _regions(run: Run) -> pd.DataFrame:
    """Count concepts by the languages that have them: all, and those that train in each setting."""
    language_of = [
        pd.Series(language, titles.index) for language, titles in sorted(run.titles.items())
    ]
    languages = pd.concat(language_of).groupby(level=0).agg(" ".join).rename("languages")
    trained = {
        setting: languages.index.isin(documents["concept"])
        for setting, documents in run.trained.items()
    }
    table = pd.DataFrame(trained, languages.index).groupby(languages).sum().astype(int)
    table.insert(0, "concepts", languages.value_counts())
    n_more_languages = table.index.str.count(" ")
    order = np.lexsort((-table["concepts"], -n_more_languages))
    return table.iloc[order].reset_index()
