"""The tables of a run: scores as means and by direction, examples, and what the corpus has."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from cr5.report import published
from cr5.report.names import (
    SIMILARITIES,
    Systems,
    direction,
    direction_order,
    known_first,
    similarity_name,
)
from cr5.report.table import NOTHING, Table, bold, count, layout, percent, plain
from cr5.scores.comparisons import FIRST
from cr5.scores.significance import ALPHA
from cr5.scores.summary import ALL
from cr5.splits.draw import FEW as FEW_QUERIES

DOCUMENTS = "documents"
METRICS = ["Success@1", "Success@5", "Success@10"]
MOST = 4  # metrics that are printed of a task
FIT = ["setting", "task", "system"]
COUNTS = ["directions", "repetitions", "n_queries", "n_candidates"]
COLUMN = ["setting", "task", "query", "target", "similarity", "metric"]
SUCCESS = (
    "Success@k is the share of queries with a relevant document among the k nearest; the Cr5 paper "
    "prints it as P@k. Metrics are those of ir-measures, but ties count against the query."
)
BOLD = (
    "Bold: of the systems of a setting, the best in {}, and those that do not differ from it "
    "significantly (randomisation test over queries, level .05, Holm's correction); all tests are "
    "in significance.csv."
)


def mark(scores: pd.DataFrame, tests: pd.DataFrame, column: Sequence[str] = COLUMN) -> pd.DataFrame:
    """Add `best`: true, false, or missing if a system was compared with no other.

    The best are the system with the highest value of a column and those that do not differ
    significantly from it.

    Args:
        scores: with `column`, system and value; a row per system and column.
        tests: with `column`, system, other and p_holm.
        column: the keys that identify one column.
    """
    keys = [*column, "system"]
    turned = tests.rename(columns={"system": "other", "other": "system"})
    both = pd.concat([tests, turned])
    highest = scores.groupby(list(column))["value"].transform("max")
    first = scores.loc[scores["value"] == highest, keys]
    level = both[both["p_holm"] >= ALPHA].merge(
        first.rename(columns={"system": "other"}), on=[*column, "other"]
    )
    best = _among(scores, pd.concat([first, level]), keys).astype("boolean")
    return scores.assign(best=best.where(_among(scores, both, keys)))


def _among(rows: pd.DataFrame, some: pd.DataFrame, keys: list[str]) -> pd.Series:
    found = pd.MultiIndex.from_frame(rows[keys]).isin(pd.MultiIndex.from_frame(some[keys]))
    return pd.Series(found, rows.index)


def marked_means(means: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Mark the best of means over directions."""
    pooled = tests[(tests["query"] == ALL) & (tests["target"] == ALL)]
    return mark(means, pooled)


def by_own_measure(means: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Keep each system's means by its first measure, marked among the systems of the setting.

    Systems of topics have `l1` alone and BM25 scalar products, whatever else a run compares by.
    """
    first = means.groupby(FIT, sort=False)["similarity"].transform("first")
    own = means[means["similarity"] == first]
    several = own.groupby(["setting", "task"])["similarity"].transform("nunique") > 1
    asked = own.assign(similarity=own["similarity"].mask(several, FIRST))
    return own.assign(best=marked_means(asked, tests)["best"])


def printed(means: pd.DataFrame) -> list[str]:
    """Return the first `MOST` metrics of each task, without duplicates."""
    named = means[["task", "metric"]].drop_duplicates().groupby("task", sort=False)["metric"]
    return list(dict.fromkeys(named.head(MOST)))


def ordered(means: pd.DataFrame) -> pd.DataFrame:
    """Order the systems of each setting by falling first metric; settings as they appear."""
    place = pd.Series(range(len(means)), means.index)
    top = means["value"].where(means["metric"] == means["metric"].iloc[0])
    top = top.groupby([means["setting"], means["system"]]).transform("max").fillna(-1)
    setting = place.groupby(means["setting"]).transform("min")
    keys = means.assign(_setting=setting, _top=-top, _place=place)
    return means.loc[keys.sort_values(["_setting", "_top", "_place"], kind="stable").index]


def systems_table(
    means: pd.DataFrame,
    tests: pd.DataFrame,
    dimensions: pd.DataFrame,
    compared: pd.DataFrame,
    systems: Systems,
    notes: Sequence[str] = (),
) -> Table:
    """Lay out means over directions, a block per task and measure, a row per setting and system.

    The first block of a task has each system by its own first measure, named where it is another.

    Args:
        means: over directions, see `scores.summary.scores`.
        tests: see `scores.comparisons`.
        dimensions: of fits: setting, series, system and dimension.
        compared: see `published.compared`.
        systems: how they are named.
        notes: further ones.
    """
    marked = _with_published(marked_means(means, tests), compared)
    own = _with_published(by_own_measure(means, tests), compared)
    blocks, metrics = [], printed(means)
    for task, of_task in marked.groupby("task", sort=False):
        measures = known_first(SIMILARITIES, of_task["similarity"])
        for measure in measures:
            shown = of_task[of_task["similarity"] == measure]
            first = own[own["task"] == task]
            if measure == measures[0] and shown["system"].nunique() < first["system"].nunique():
                shown = first
            title = f"{task.replace('_', ' ').capitalize()}, {similarity_name(measure)}"
            shown = ordered(shown[shown["metric"].isin(metrics)])
            blocks.append((title, _mean_rows(shown, measure, dimensions, systems)))
    over = "queries and repetitions" if means["repetitions"].max() > 1 else "queries"
    papers = systems.references()
    return Table(
        title="Systems, means over directions in percent",
        blocks=blocks,
        data=marked.drop(columns=["query", "target"]),
        notes=[
            "All directions have equal weight; compare only rows with the same directions.",
            f"In brackets: 95 % intervals over {over} (Wilson's).",
            *([SUCCESS] if means["metric"].str.startswith("Success").any() else []),
            *([BOLD.format("a measure and metric")] if marked["best"].any() else []),
            "Dimension: as chosen on validation queries or given.",
            *notes,
            *([f"Papers: {'; '.join(papers)}."] if papers else []),
        ],
        left=2,
    )


def _mean_rows(
    shown: pd.DataFrame, measure: str, dimensions: pd.DataFrame, systems: Systems
) -> pd.DataFrame:
    names = zip(shown["system"], shown["similarity"], strict=True)
    titles = [
        systems.title(x) + (f" ({similarity_name(y)})" if y != measure else "") for x, y in names
    ]
    parts = ["value", "ci_low", "ci_high", "published", "best"]
    cells = zip(*(shown[x] for x in parts), strict=True)
    fits = zip(shown["setting"], shown["series"], shown["system"], strict=True)
    rows = shown.assign(
        system=titles,
        cell=[percent(*cell) for cell in cells],
        dimension=[_dimension(dimensions, *fit) for fit in fits],
    )
    return layout(rows, ["setting", "system", "dimension"], "metric", COUNTS)


def _dimension(dimensions: pd.DataFrame, setting: str, series: str, system: str) -> str:
    """Return the dimensions of the fits behind a row, in increasing order, as text."""
    named = "setting" if setting != series else "series"
    chosen = (dimensions[named] == setting) & (dimensions["system"] == system)
    values = sorted({int(x) for x in dimensions.loc[chosen, "dimension"]})
    return ", ".join(map(str, values)) or NOTHING


def _with_published(scores: pd.DataFrame, compared: pd.DataFrame) -> pd.DataFrame:
    """Add `published`, fractions; nan where no paper has the figure."""
    keys = [*COLUMN, "system"]
    figures = compared[compared["metric"] != published.DOCUMENTS].drop_duplicates(keys)
    figures = figures[[*keys, "published"]].assign(published=figures["published"] / 100)
    return scores.merge(figures.astype({"published": float}), "left", keys)


def directions_table(
    scores: pd.DataFrame,
    tests: pd.DataFrame,
    compared: pd.DataFrame,
    systems: Systems,
    task: str,
    notes: Sequence[str] = (),
) -> Table:
    """Lay out the scores of a task, a block per system and setting, a row per direction.

    This is the layout of the Cr5 paper's Table 1; of documents it has Success@k alone.

    Args:
        scores: see `scores.summary.scores`.
        tests: see `scores.comparisons`.
        compared: see `published.compared`.
        systems: how they are named.
        task: the task to show.
        notes: further ones.
    """
    scores = _with_published(mark(scores, tests), compared)
    scores = scores[scores["task"] == task]
    shown = scores[scores["metric"].isin(METRICS)] if task == DOCUMENTS else scores
    cells = zip(shown["value"], shown["published"], shown["best"], strict=True)
    shown = shown.assign(
        cell=[percent(value, published=figure, best=best) for value, figure, best in cells],
        measure=shown["similarity"].map(similarity_name) + " " + shown["metric"],
    )
    order = known_first(SIMILARITIES, shown["similarity"])
    shown = shown.iloc[shown["similarity"].map(order.index).argsort(kind="stable")]
    measures = list(dict.fromkeys(shown["measure"]))
    pairs = zip(shown["query"], shown["target"], strict=True)
    shown = shown.assign(direction=[direction(*pair) for pair in pairs])
    blocks = []
    for (system, label), block in shown.groupby(["system", "label"], sort=False):
        wide = layout(
            block, ["query", "target", "direction"], "measure", ["n_queries", "n_candidates"]
        )
        places = list(zip(wide.pop("Query"), wide.pop("Target"), strict=True))
        wide = wide.reindex(columns=["Direction", *measures, "Queries", "Candidates"])
        places = sorted(range(len(places)), key=lambda i, of=places: direction_order(of[i]))
        wide = wide.iloc[places].astype(object).fillna(NOTHING)
        blocks.append((systems.curve(system, label), wide))
    name = "Document retrieval" if task == DOCUMENTS else task.replace("_", " ").capitalize()
    has_figures = shown["published"].notna().any()
    return Table(
        title=f"{name}, each direction in percent",
        blocks=blocks,
        data=scores,
        notes=[
            "A row a→b has queries in a and candidates in b.",
            SUCCESS,
            *([BOLD.format("a direction, measure and metric")] if shown["best"].any() else []),
            *(["In parentheses: the published figures."] if has_figures else []),
            *few_queries(scores),
            *notes,
        ],
    )


def few_queries(scores: pd.DataFrame) -> list[str]:
    """Warn of directions with few queries, naming the worst one."""
    fewest = scores.groupby(["query", "target"])["n_queries"].min().round()
    if fewest.empty or fewest.min() >= FEW_QUERIES:
        return []
    return [
        f"Fewer than {FEW_QUERIES} queries, such as in {direction(*fewest.idxmin())} "
        f"({count(fewest.min())}): such figures vary by several points between draws."
    ]


def left_out(rows: pd.DataFrame, systems: Systems) -> list[str]:
    """Name what has no figures because of the data, once for each reason."""
    said = []
    for (task, reason), group in rows.groupby(["task", "reason"], sort=False):
        fits = group[["system", "setting"]].drop_duplicates().itertuples(index=False, name=None)
        places = "; ".join(systems.curve(*fit) for fit in fits)
        said.append(f"Left out of {task}: {places}: {reason}")
    return said


def published_table(compared: pd.DataFrame, systems: Systems) -> Table:
    """Lay out published figures beside ours, a block per row of the papers' tables."""
    blocks = []
    keys = ["paper", "table", "row", "setting", "task", "system"]
    for key, group in compared.groupby(keys, sort=False):
        paper, table, row, setting, task, system = key
        pairs = zip(group["query"], group["target"], strict=True)
        cells = {
            "Direction": ["both" if x == ALL else direction(x, y) for x, y in pairs],
            "Measure": [similarity_name(x) or NOTHING for x in group["similarity"]],
            "Metric": list(group["metric"]),
            **{
                name.capitalize(): [_number(x, form, name) for x in records]
                for name, form in (("published", ""), ("ours", ""), ("difference", "+"))
                for records in [zip(group[name], group["metric"], strict=True)]
            },
            **{x: [*map(count, group[f"n_{x.lower()}"])] for x in ("Queries", "Candidates")},
            "Verdict": list(group["verdict"]),
        }
        named = f"{systems.title(system)}, {setting}, {task}"
        blocks.append((f"{paper}, table {table}, {row}: {named}", pd.DataFrame(cells)))
    counts = ", ".join(f"{name} {n}" for name, n in compared["verdict"].value_counts().items())
    return Table(
        title="Published figures beside ours",
        blocks=blocks,
        data=compared,
        notes=[
            f"Of {len(compared)} figures: {counts}.",
            "Percent, or numbers of documents in both languages that train. A difference within "
            "the tolerance is equal. Queries are drawn here, so differences of little may be "
            "chance; a verdict holds for this configuration as it stands.",
        ],
        left=3,
    )


def _number(cell: tuple[float, str], sign: str, name: str) -> str:
    value, metric = cell
    if pd.isna(value):
        return NOTHING
    return format(value, f"{sign},.0f" if metric == published.DOCUMENTS else f"{sign}.1f")


def examples_table(
    ranks: pd.DataFrame,
    titles: Mapping[str, pd.Series],
    options: Mapping,
    seed: int,
    systems: Systems,
) -> Table:
    """Lay out some queries with their nearest documents, by title: the paper's Table 2.

    Args:
        ranks: by one similarity, see `scores.ranks.nearest`.
        titles: per language, title by concept.
        options: see `options.ExampleOptions`.
        seed: of the draw.
        systems: how they are named.
    """
    common = titles.get(options.get("titles"))
    if common is not None:
        titles = {x: common.reindex(own.index).fillna(own) for x, own in titles.items()}
    blocks, rows = [], []
    groups = dict(iter(ranks.groupby(["query_language", "target_language"], sort=False)))
    for pair in sorted(groups, key=direction_order):
        drawn = groups[pair].sort_values("query")
        n = min(options["queries"], len(drawn))
        chosen = np.random.default_rng(seed).choice(len(drawn), n, replace=False)
        drawn = drawn.iloc[np.sort(chosen)]
        shown = []
        for query in drawn.to_dict("records"):
            concepts = list(query["nearest"])[: options["neighbours"]]
            names = [_title(titles[pair[1]].get(x), x) for x in concepts]
            cells = [
                bold(x) if y == query["query"] else x for x, y in zip(names, concepts, strict=True)
            ]
            asked = _title(titles[pair[0]].get(query["query"]), query["query"])
            shown.append([asked, count(query["rank"]), *cells])
            about = {"query": pair[0], "target": pair[1], "concept": query["query"], "title": asked}
            rows += [
                {**about, "rank_of_truth": query["rank"], "neighbour_rank": k, "neighbour": name}
                for k, name in enumerate(names, 1)
            ]
        frame = pd.DataFrame(shown).fillna(NOTHING)
        frame.columns = ["Query", "Rank", *map(str, range(1, len(frame.columns) - 1))]
        blocks.append((direction(*pair), frame))
    first = ranks.iloc[0]
    named = systems.curve(first["system"], first["setting"])
    return Table(
        title=f"Nearest documents of {named}, by {similarity_name(first['similarity'])}",
        blocks=blocks,
        data=pd.DataFrame(rows),
        notes=[
            "A heading a→b means queries in a and candidates in b. The true counterpart is bold, "
            "where it is shown; Rank is its place among all candidates."
        ],
        left=99,
    )


def _title(title: str | None, concept: str) -> str:
    return concept if pd.isna(title) or not title.strip() else title


def languages_table(
    statistics: pd.DataFrame, paragraphs: Iterable[Mapping], limits: Sequence[int]
) -> Table:
    """Lay out the statistics of each language, and of the paragraphs that documents are made of."""
    data = statistics[[x for x in statistics if statistics[x].map(pd.api.types.is_scalar).all()]]
    notes = [
        f"Kept documents have {count(limits[0])} to {count(limits[1])} different words "
        "(bags.unique_words)."
    ]
    if paragraphs := list(paragraphs):
        own = pd.DataFrame(paragraphs).convert_dtypes()
        own = own[["language", *own.columns.difference(data.columns, sort=False)]]
        data = data.merge(own, "left", on="language")
        notes.append("Paragraphs dropped: left in English; apart: kept in another language only.")
    return Table("Languages", [("", plain(data))], data, notes)


def pairs_table(pairs: pd.DataFrame) -> Table:
    """Lay out the concepts that two languages share, and how each setting uses them."""
    keys = ["setting", "query", "target"]
    means = pairs.groupby(keys, sort=False)[["concepts", "train", "validation", "test"]].mean()
    notes = ["Train: concepts that train in both languages; test: queries of the pair."]
    return Table(
        "Concepts shared by two languages", [("", plain(means.reset_index()))], pairs, notes, 3
    )


def plain_table(title: str, frame: pd.DataFrame, notes: Sequence[str], left: int = 2) -> Table:
    """Print a frame as it is."""
    return Table(title, [("", plain(frame))], frame, notes, left)


def main_blocks(means: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the blocks of the page's main table: a setting each, or those of one system together.

    Args:
        means: of one task, see `by_own_measure`.
    """
    ends = means.groupby("setting")["system"].transform("nunique") == 1
    alone = ends & (len(set(means["setting"])) > 1)
    found = [(name, ordered(block)) for name, block in means[~alone].groupby("setting", sort=False)]
    return [*found, ("", means[alone])] if alone.any() else found
