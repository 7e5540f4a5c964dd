"""The figures of a run: curves of success, of validation and of more data, and bars of overlap."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from cr5.fitting.choose import CRITERIA
from cr5.report.canvas import COLOURS, Drawn, panels, styled
from cr5.report.names import Systems, by_direction, direction, similarity_name, words
from cr5.report.published import training_concepts
from cr5.report.run import Run, by_first_measure
from cr5.report.table import count
from cr5.scores.summary import ALL

CURVES = 4  # of the first figure: the best, the best of those that map word vectors, and these
OURS, FLOOR = "cr5", "lexical_overlap"
MEANS = ["value", "ci_low", "ci_high", "n_queries", "n_candidates"]
MOST_REGIONS = 24
MOST_SETTINGS = 4


def _measured(metric: str, frame: pd.DataFrame) -> str:
    return ", ".join([metric, *map(similarity_name, frame["similarity"].unique())])


def first_figure(run: Run) -> Drawn | None:
    """Four systems, means over all directions.

    In the setting that has most of them.
    """
    curves, systems = run.curves[run.curves["query"] == ALL], run.systems
    if curves.empty:
        return None
    curves = by_first_measure(curves)
    most = curves.loc[curves["directions"].idxmax(), "setting"]
    curves = curves[curves["setting"] == most]
    at_one = curves[curves["k"] == 1].set_index("system")["value"]
    shown = curves.set_index("system").loc[chosen(at_one, systems)].reset_index()
    counts = shown.iloc[0][["directions", "n_queries", "n_candidates"]]
    title = "{:,.0f} directions, {:,.0f} queries, {:,.0f} candidates".format(*counts)
    frame = shown.assign(x=shown["k"], line="", panel=f"{words(most)}: {title}")
    x, y = "k nearest candidates (logarithmic)", _measured("Success@k", frame)
    return panels(frame, x, y, systems, shown)


def chosen(at_one: pd.Series, systems: Systems) -> list[str]:
    """Choose the best system, Cr5, the best of word vectors, and the floor, or else the next best.

    They stand by falling Success@1.
    """
    order = list(at_one.sort_values(ascending=False, kind="stable").index)
    of_vectors = [system for system in order if systems.said(system, "maps_vectors")]
    wanted = [order[0], OURS, *of_vectors[:1], FLOOR]
    found = list(dict.fromkeys(x for x in [*wanted, *order] if x in order))[:CURVES]
    return [system for system in order if system in found]


def pair_figure(run: Run) -> Drawn | None:
    """All systems and settings, means of both directions, as Figure 2 of the Cr5 paper.

    By CSLS, as there, where any system has it.
    """
    crowded = run.curves["setting"].isin(run.facts["crowding"])
    curves = run.curves[(run.curves["query"] != ALL) & ~crowded]
    csls = curves["similarity"] == "csls"
    curves = curves[csls] if csls.any() else by_first_measure(curves)
    means = both_directions(curves)
    if run.main == "documents":  # a query has one answer
        means["chance"] = means["k"] / means["n_candidates"]
    frame = means.assign(
        x=means["k"], line=means["label"], panel=means["query"] + "–" + means["target"]
    )
    return panels(frame, "k", _measured("Success@k", frame), run.systems, means)


def both_directions(curves: pd.DataFrame) -> pd.DataFrame:
    """Average the directions of each pair, for every k that both have, and so the intervals."""
    pair = np.sort(curves[["query", "target"]].to_numpy(), axis=1)
    curves = curves.assign(query=pair[:, 0], target=pair[:, 1])
    keys = ["setting", "label", "system", "query", "target", "similarity", "k"]
    groups = curves.groupby(keys, sort=False)
    means = groups[MEANS].mean().assign(directions=groups.size()).reset_index()
    most = means.groupby(["setting", "system", "query", "target"])["directions"].transform("max")
    return means[means["directions"] == most].reset_index(drop=True)


def data_figure(run: Run) -> Drawn | None:
    """Success@1 over the number of training concepts of a pair.

    A panel per direction, a curve of two or more points: what more data bring (Cr5, Sec. 4.2).
    """
    scores = by_first_measure(run.scores[run.scores["task"] == run.main])
    scores = scores[scores["metric"] == "Success@1"]
    scores = scores.drop(columns=["best", "published", "series"])
    places = ["setting", "query", "target"]
    points = pd.DataFrame(run.facts["points"], columns=["series", *places], dtype=object)
    table = scores.merge(training_concepts(run.pairs), "left", places).merge(points, on=places)
    curve = ["system", "series", "query", "target"]
    table = table[table.duplicated(curve, keep=False)]
    table = table.sort_values([*curve, "concepts"], kind="stable", ignore_index=True)
    frame = table.assign(
        chance=1 / table["n_candidates"],
        x=table["concepts"],
        line=table["series"],
        panel=direction(table["query"], table["target"]),
    )
    x, y = "training concepts of the pair", _measured("Success@1", frame)
    return panels(by_direction(frame), x, y, run.systems, table)


def validation_figure(run: Run) -> Drawn | None:
    """The criterion on validation queries over each hyperparameter; a ring marks what was chosen.

    Each value has the best score found with it, of several repetitions the mean. Over the number of
    dimensions after Figures 3 and 4 of Platt et al. (2010).
    """
    return panels(_tried(run), "value", "on validation queries", run.systems, run.grids)


def _tried(run: Run) -> pd.DataFrame:
    """Options of which several values were tried, as `panels` takes them."""
    means = run.grids.replace({"option": {"rank": "dimension"}})
    means = means[means.groupby(["setting", "option"])["value"].transform("nunique") > 1]
    keys = ["setting", "option", "criterion", "system", "value"]
    best = means.groupby([*keys, "repetition"], sort=False, dropna=False)
    best = best.agg({"score": "max", "chosen": "max"}).reset_index()
    frame = best.groupby(keys, sort=False, dropna=False)
    frame = frame.agg({"score": "mean", "chosen": "max"}).reset_index()
    criteria = frame["criterion"].map(lambda x: CRITERIA[x].title)
    return frame.assign(
        x=frame["value"],
        value=frame["score"],
        line="",
        panel=(frame["setting"] + ": " + frame["option"]).map(words) + " (" + criteria + ")",
    )


def overlap_figure(run: Run) -> Drawn:
    """Concepts by the languages that have them, the largest regions, and how many train.

    After the Cr5 paper's Figure 1, as bars, for any number of languages.
    """
    there = pd.concat([pd.Series(x, titles.index) for x, titles in sorted(run.titles.items())])
    names = there.groupby(level=0).agg(" ".join).rename("languages")
    trained = {x: names.index.isin(frame["concept"]) for x, frame in run.trained.items()}
    table = pd.DataFrame(trained, names.index).groupby(names).sum().astype(int)
    table.insert(0, "concepts", names.value_counts())
    order = np.lexsort((-table["concepts"], -table.index.str.count(" ")))
    table = table.iloc[order].reset_index()
    shown = table.head(MOST_REGIONS)
    settings = list(table.columns[2:])[:MOST_SETTINGS]
    columns = {"concepts": "all concepts", **{x: f"train in {words(x)}" for x in settings}}
    with styled():
        figure = Figure((0.7 + 1.7 * len(columns), 0.9 + 0.2 * len(shown)))
        every = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
        for axes, (name, title) in zip(every, columns.items(), strict=True):
            every_bar = axes.barh(shown["languages"], shown["concepts"], color="0.85")
            axes.bar_label(every_bar, [*map(count, shown[name])], padding=2, fontsize=6)
            axes.barh(shown["languages"], shown[name], color=COLOURS[0])
            axes.set_title(title)
            axes.grid(visible=False)
        axes.invert_yaxis()
        figure.tight_layout()
    return figure, table
