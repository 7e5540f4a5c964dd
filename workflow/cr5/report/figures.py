"""The figures of a run: curves of success, of validation and of more data, and bars of overlap."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from cr5.fitting.choose import CRITERIA
from cr5.report import canvas
from cr5.report.canvas import drawn, looks, no_math, panels
from cr5.report.names import (
    FLOOR,
    OURS,
    Systems,
    direction,
    direction_order,
    setting_name,
    similarity_name,
)
from cr5.report.published import training_concepts
from cr5.report.table import count

CURVES = 4  # of the first figure
MEANS = ["value", "ci_low", "ci_high", "n_queries", "n_candidates"]
RANK = {"rank": "dimension"}  # Cr5's name for it
MOST_REGIONS = 24
MOST_SETTINGS = 4


def there(frame: pd.DataFrame, similarity: str) -> pd.DataFrame:
    """Return the rows of a measure; where no system has it, those of each one's own first."""
    found = frame[frame["similarity"] == similarity]
    if len(found):
        return found
    fits = ["setting", "task", "system"]
    return frame[frame["similarity"] == frame.groupby(fits)["similarity"].transform("first")]


def _in_percent(frame: pd.DataFrame, **columns: object) -> pd.DataFrame:
    ends = {"y": "value", "low": "ci_low", "high": "ci_high", "chance": "chance"}
    values = {new: 100 * frame[old] for new, old in ends.items() if old in frame}
    return frame.assign(**values, **columns)


def _measured(metric: str, frame: pd.DataFrame) -> str:
    names = ", ".join(map(similarity_name, frame["similarity"].unique()))
    return f"{metric} in %, {names}"


def first_figure(curves: pd.DataFrame, similarity: str, systems: Systems) -> Figure:
    """Draw Success@k of four systems in the setting with the most directions, means over them.

    Args:
        curves: of one task, of all directions, see `scores.summary.curves`.
        similarity: which rows to draw.
        systems: how they are named and drawn.
    """
    curves = there(curves, similarity)
    most = curves.reset_index(drop=True)["directions"].idxmax()
    curves = curves[curves["setting"] == curves["setting"].iloc[most]]
    at_one = curves[curves["k"] == 1].set_index("system")["value"]
    shown = chosen(at_one, systems)
    curves = curves[curves["system"].isin(shown)]
    labels = {x: f"{systems.title(x)}: Success@1 {100 * at_one[x]:.1f}" for x in shown}
    frame = _in_percent(
        curves, x=curves["k"], line=0, label=curves["system"].map(labels), panel=_size(curves)
    )
    frame = frame.iloc[frame["system"].map(shown.index).argsort(kind="stable")]
    return panels(
        frame,
        "k nearest candidates (logarithmic)",
        _measured("Success@k", frame),
        looks(systems),
        size=(4.6, 3.6),
        highest=102,
        beside=True,
    )


def chosen(at_one: pd.Series, systems: Systems) -> list[str]:
    """Choose the best system, Cr5, the best of word vectors, and the floor, by falling Success@1.

    If one of them is missing, or is the best, the next best of all takes its place.
    """
    order = list(at_one.sort_values(ascending=False, kind="stable").index)
    of_vectors = [system for system in order if systems.maps_vectors(system)]
    wanted = [order[0], OURS, *of_vectors[:1], FLOOR]
    found = list(dict.fromkeys(x for x in wanted if x in order))
    found += [x for x in order if x not in found][: CURVES - len(found)]
    return [system for system in order if system in found]


def _size(curves: pd.DataFrame) -> str:
    first = curves.iloc[0]
    directions = first["directions"]
    over = "one direction" if directions == 1 else f"mean over {directions:.0f} directions"
    candidates = count(curves["n_candidates"].mean())
    sizes = f"{count(first['n_queries'])} queries, {candidates} candidates"
    return f"{setting_name(first['setting'])}: {over}, {sizes}"


def pair_figure(
    curves: pd.DataFrame,
    compared: pd.DataFrame,
    similarity: str,
    systems: Systems,
    is_one: bool = True,
) -> Figure:
    """Draw Success@k, a panel per pair, means of both directions: the Cr5 paper's Figure 2.

    Args:
        curves: of one task, see `scores.summary.curves`, with k.
        compared: see `published.compared`; its figures at 1, 5 and 10 are hollow marks.
        similarity: which rows to draw.
        systems: how they are named and drawn.
        is_one: whether a query has one answer, so that chance is known.
    """
    curves = there(curves, similarity)
    keys = ["setting", "task", "system", "query", "target", "similarity", "metric"]
    figures = compared.drop_duplicates(keys)[[*keys, "published"]].astype({"published": float})
    curves = curves.merge(figures, "left", keys).drop(columns=["directions", "repetition"])
    means = both_directions(curves.drop(columns="metric"))
    chance = {"chance": means["k"] / means["n_candidates"]} if is_one else {}
    lines = {label: place for place, label in enumerate(means["label"].unique())}
    pairs = zip(means["query"], means["target"], strict=True)
    names = zip(means["system"], means["label"], strict=True)
    frame = _in_percent(
        means.assign(**chance),
        x=means["k"],
        panel=["–".join(pair) for pair in pairs],
        label=[systems.legend(*name) for name in names],
        line=means["label"].map(lines),
    )
    few = frame["published"].isna().all()
    frame = frame.drop(columns="published") if few else frame
    columns = int(np.ceil(np.sqrt(frame["panel"].nunique())))
    y_label = _measured("Success@k", frame)
    return panels(frame, "k", y_label, looks(systems), columns, (2.1, 1.8), 102)


def both_directions(curves: pd.DataFrame) -> pd.DataFrame:
    """Average the directions of each pair, for every k that both have.

    The mean of two intervals is at least as wide as that of the mean.
    """
    pair = np.sort(curves[["query", "target"]].to_numpy(), axis=1)
    curves = curves.assign(query=pair[:, 0], target=pair[:, 1])
    averaged = [x for x in [*MEANS, "published"] if x in curves]
    groups = curves.groupby([x for x in curves if x not in averaged], sort=False, dropna=False)
    means = groups[averaged].mean().assign(directions=groups.size()).reset_index()
    most = means.groupby(["setting", "system", "query", "target"])["directions"].transform("max")
    return means[means["directions"] == most]


def data_curves(
    scores: pd.DataFrame, pairs: pd.DataFrame, points: Iterable[Mapping]
) -> pd.DataFrame:
    """Join Success@1 with the number of training concepts of the pair.

    Args:
        scores: of one task and measure, see `scores.summary.scores`.
        pairs: setting, query, target and train; languages of a pair are in either order.
        points: series, pair and setting of each point of a curve, see `plan.shown`.

    Returns:
        A row per point of a curve of at least two, `concepts` among the columns.
    """
    scores = scores[scores["metric"] == "Success@1"]
    scores = scores.merge(training_concepts(pairs), "left", ["setting", "query", "target"])
    found = [
        scores[
            (scores["setting"] == point["setting"])
            & scores["query"].isin(point["pair"])
            & scores["target"].isin(point["pair"])
        ].assign(series=point["series"])
        for point in points
    ]
    table, curve = pd.concat(found), ["system", "series", "query", "target"]
    table = table[table.duplicated(curve, keep=False)]
    return table.sort_values([*curve, "concepts"], kind="stable", ignore_index=True)


def data_figure(table: pd.DataFrame, systems: Systems) -> Figure:
    """Draw `data_curves`, a panel per direction: what more data bring (Cr5, Sec. 4.2)."""
    lines = {series: place for place, series in enumerate(table["series"].unique())}
    pairs = list(zip(table["query"], table["target"], strict=True))
    names = zip(table["system"], table["series"], strict=True)
    frame = _in_percent(
        table.assign(chance=1 / table["n_candidates"]),
        x=table["concepts"],
        panel=[direction(*pair) for pair in pairs],
        label=[systems.legend(*name) for name in names],
        line=table["series"].map(lines),
    )
    order = sorted(range(len(frame)), key=lambda i: direction_order(pairs[i]))
    label = "training concepts of the pair"
    y_label = _measured("Success@1", frame)
    return panels(frame.iloc[order], label, y_label, looks(systems), 2, (3.0, 2.3))


def validation_figure(grids: pd.DataFrame, systems: Systems, dimension: bool = False) -> Figure:
    """Draw what was tried on validation queries, a panel per setting and option.

    If a grid has several options, each value has the best score found with it; with several
    repetitions, their mean is drawn. Rings mark what was chosen.

    Args:
        grids: see `run.grids`.
        systems: how they are named and drawn.
        dimension: draw the number of dimensions alone, as Figures 3 and 4 of Platt et al. (2010).
    """
    means = grids[(grids["query"] == "") | grids["query"].isna()].replace({"option": RANK})
    varied = means.groupby(["setting", "option"])["value"].transform("nunique") > 1
    means = means[varied & ((means["option"] == "dimension") | (not dimension))]
    if means.empty:
        return canvas.said("Nothing was chosen\non validation queries.")
    keys = ["setting", "option", "criterion", "system", "value"]
    best = means.groupby([*keys, "repetition"], sort=False, dropna=False)
    best = best.agg({"score": "max", "chosen": "max"}).reset_index()
    frame = best.groupby(keys, sort=False, dropna=False)
    frame = frame.agg({"score": "mean", "chosen": "max"}).reset_index()
    numbers = pd.to_numeric(frame["value"], errors="coerce")
    is_text = numbers.isna().groupby([frame["setting"], frame["option"]]).transform("any")
    places = frame.groupby(["setting", "option"], sort=False)["value"].transform(
        lambda x: pd.factorize(x)[0]
    )
    panel = zip(frame["setting"], frame["option"], frame["criterion"], strict=True)
    frame = frame.assign(
        x=numbers.mask(is_text, places.astype(float)),
        tick=frame["value"].astype(str).where(is_text),
        y=frame["score"],
        line=0,
        label=frame["system"].map(systems.title),
        panel=[
            f"{setting_name(x)}: {y.replace('_', ' ')} ({CRITERIA[z].title})" for x, y, z in panel
        ],
    )
    label = "dimensions" if dimension else "value"
    size, columns = ((4.6, 3.2), 2) if dimension else ((2.9, 1.9), 3)
    return panels(frame, label, "on validation queries", looks(systems), columns, size)


def overlap(concepts: Mapping[str, pd.Index], trained: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Count concepts by the languages that have them, and how many of these train in a setting.

    Args:
        concepts: of all documents, by language.
        trained: by setting, of one repetition: concept and language.

    Returns:
        languages (in alphabetical order, separated by spaces), concepts, and a column per setting:
        concepts that train in any language; by most languages, then most concepts.
    """
    every = pd.Index(sorted(set().union(*concepts.values())))
    there = pd.DataFrame({x: every.isin(concepts[x]) for x in sorted(concepts)}, index=every)
    names = there.apply(lambda row: " ".join(row.index[row]), axis=1).rename("languages")
    numbers = pd.DataFrame(
        {setting: every.isin(frame["concept"]) for setting, frame in trained.items()}, index=every
    )
    table = numbers.groupby(names).sum().astype(int)
    table.insert(0, "concepts", names.value_counts())
    table = table.reset_index()
    order = table.assign(size=-table["languages"].str.count(" "), n=-table["concepts"])
    return table.loc[order.sort_values(["size", "n", "languages"]).index].reset_index(drop=True)


def overlap_figure(table: pd.DataFrame) -> Figure:
    """Draw `overlap` as bars, for any number of languages: the Cr5 paper's Figure 1."""
    shown = table.head(MOST_REGIONS)
    settings = list(table.columns[2:])[:MOST_SETTINGS]
    columns = {"concepts": "all concepts", **{x: f"train in {setting_name(x)}" for x in settings}}
    places = range(len(shown))
    with drawn(2.2 + 1.7 * len(columns), 0.9 + 0.2 * len(shown)) as figure:
        figure.get_layout_engine().set(rect=(0, 0.03, 1, 0.97))
        every = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
        for axes, (name, title) in zip(every, columns.items(), strict=True):
            axes.barh(places, shown["concepts"], color="0.85")
            axes.barh(places, shown[name], color=canvas.COLOURS[0])
            for place, number in zip(places, shown[name], strict=True):
                at = shown["concepts"].iloc[place]
                axes.text(at, place, f" {count(number)}", va="center", fontsize=6)
            axes.set_title(no_math(title))
            axes.grid(visible=False)
            axes.set_yticks(places, shown["languages"])
            axes.invert_yaxis() if axes is every[0] else None
        if rest := len(table) - len(shown):
            figure.supxlabel(f"Not drawn: {rest} smaller regions", fontsize=7)
    return figure
