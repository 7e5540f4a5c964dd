"""The tables of a run: scores as means and by direction, examples, and what the corpus has."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from cr5.fitting.options import FOUND_NOTHING
from cr5.report.names import by_direction, direction, similarity_name, words
from cr5.report.run import Run
from cr5.report.table import DAGGER, NOTHING, Table, bold, count, layout, percent, plain
from cr5.splits.asked import concept_of

METRICS = ["Success@1", "Success@5", "Success@10"]
MOST = 4  # metrics that are printed of a task
EXAMPLES = 2  # queries of a direction
ENOUGH = 50  # queries of a direction; fewer give wide intervals
COUNTS = ["directions", "repetitions", "n_queries", "n_candidates"]
PUBLISHED = [
    *["query", "target", "similarity", "metric", "published", "ours", "difference"],
    *["tolerance", "n_queries", "n_candidates", "verdict"],
]
EXAMPLE = ["query", "target", "concept", "title", "rank_of_truth", "neighbour_rank", "neighbour"]
HOW_TO_READ = [
    "Percent; a→b has queries in a and candidates in b. Means give all directions equal weight: "
    "compare only those over the same directions.",
    "Success@k is the share of queries with a relevant document among the k nearest; the Cr5 paper "
    "prints it as P@k. Metrics are those of ir-measures, but ties count against the query.",
    "Bold: of the systems of a setting, the best by a measure and metric, and those that do not "
    "differ from it significantly (randomisation test over queries, level .05, Holm's correction); "
    "all tests are in significance.csv. In brackets: 95 % intervals over queries and repetitions "
    "(Wilson's). In parentheses: published figures.",
]
FEW = (
    f"Some directions have fewer than {ENOUGH} queries: such figures vary by several points "
    "between draws."
)


def printed(means: pd.DataFrame) -> list[str]:
    """The first `MOST` metrics of each task, without duplicates."""
    named = means[["task", "metric"]].drop_duplicates().groupby("task", sort=False)["metric"]
    return list(dict.fromkeys(named.head(MOST)))


def ordered(means: pd.DataFrame) -> pd.DataFrame:
    """Order the systems of each setting by falling first metric; settings as they appear."""
    top = means["value"].where(means["metric"] == means["metric"].iloc[0])
    top = top.groupby([means["setting"], means["system"]]).transform("max").fillna(-1)
    setting = pd.factorize(means["setting"])[0]
    return means.iloc[np.lexsort((-top, setting))]


def systems(run: Run) -> Table:
    """Means over the directions of a setting with 95 % intervals.

    The first block of a task has each system by its own first measure, named where it is another.
    """
    means, blocks, metrics = run.means, [], printed(run.means)
    for task, of_task in means.groupby("task", sort=False):
        measures = sorted(of_task["similarity"].unique(), key=lambda x: x != run.facts["measure"])
        for measure in measures:
            shown = run.own if measure == measures[0] else means[means["similarity"] == measure]
            shown = shown[shown["task"] == task]
            title = f"{words(task).capitalize()}, {similarity_name(measure)}"
            shown = ordered(shown[shown["metric"].isin(metrics)])
            blocks.append((title, _mean_rows(shown, measure, run)))
    return Table(
        blocks,
        data=means.drop(columns=["query", "target", "label"]).assign(
            found_nothing=[found_nothing(run, *fit) for fit in _fits(means)]
        ),
        notes=[
            *those_that_found_nothing(run, means),
            *HOW_TO_READ,
            "Dimension: as chosen on validation queries or given.",
            *_reservations(run, run.scores, run.left_out),
            *[x for x in run.warnings if FOUND_NOTHING not in x],
            *run.systems.references(set(means["system"])),
        ],
        left=2,
    )


def _mean_rows(shown: pd.DataFrame, measure: str, run: Run) -> pd.DataFrame:
    parts = shown[["value", "ci_low", "ci_high", "published", "best"]].itertuples(index=False)
    dimensions = [sorted(run.dimensions.get(fit, ())) for fit in _fits(shown)]
    rows = shown.assign(
        cell=[percent(*each) for each in parts],
        dimension=[", ".join(map(str, x)) or NOTHING for x in dimensions],
        system=titles(shown, measure, run),
    )
    return layout(rows, ["setting", "system", "dimension"], "metric", COUNTS)


def titles(means: pd.DataFrame, measure: str, run: Run) -> pd.Series:
    """Name the system of each row, with a dagger if it found nothing, and another measure."""
    daggers = [DAGGER if fit in run.found_nothing else "" for fit in _fits(means)]
    others = ["" if x == measure else f" ({similarity_name(x)})" for x in means["similarity"]]
    return means["system"].map(run.systems.title) + daggers + others


def found_nothing(run: Run, setting: str, system: str) -> str | None:
    """Say that a system's figures in a setting or series are those of chance, as its fits warn."""
    warnings = run.found_nothing.get((setting, system))
    if not warnings:
        return None
    total, said = run.facts["repetitions"], []
    for warning, repetitions in warnings.items():
        often = f" (in {len({*repetitions})} of {total} repetitions)" if total > 1 else ""
        said.append(warning + often)
    return f"{run.systems.named(system, words(setting))}: {'; '.join(said)}"


def those_that_found_nothing(run: Run, means: pd.DataFrame) -> list[str]:
    """Return a line for each system and setting of these means that found nothing."""
    lines = [found_nothing(run, *fit) for fit in dict.fromkeys(_fits(means))]
    return [f"{DAGGER} {line}" for line in lines if line]


def _fits(means: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(means["setting"], means["system"], strict=True))


def directions(run: Run, task: str) -> Table | None:
    """Each system, setting and direction, in the layout of Table 1 of the Cr5 paper.

    Of documents it has Success@k alone.
    """
    scores = run.scores[run.scores["task"] == task]
    if scores.empty:
        return None
    shown = scores[scores["metric"].isin(METRICS)] if task == "documents" else scores
    cells = shown[["value", "published", "best"]].to_dict("records")
    shown = shown.assign(
        cell=[percent(**each) for each in cells],
        measure=shown["similarity"].map(similarity_name) + " " + shown["metric"],
        direction=direction(shown["query"], shown["target"]),
    )
    counts = ["n_queries", "n_candidates"]
    blocks = []
    for (system, label), rows in shown.groupby(["system", "label"], sort=False):
        dagger = f" {DAGGER}" if found_nothing(run, label, system) else ""
        name = run.systems.named(system, label) + dagger
        blocks.append((name, layout(by_direction(rows), ["direction"], "measure", counts)))
    labelled = shown.assign(setting=shown["label"])
    daggers = those_that_found_nothing(run, labelled)
    of_task = run.left_out[run.left_out["task"] == task]
    notes = [*daggers, *HOW_TO_READ, *_reservations(run, scores, of_task)]
    return Table(blocks, scores, notes)


def _reservations(run: Run, scores: pd.DataFrame, gone: pd.DataFrame) -> list[str]:
    few = [FEW] if scores["n_queries"].min() < ENOUGH else []
    return [*few, *left_out(gone, run)]


def left_out(rows: pd.DataFrame, run: Run) -> list[str]:
    """Name what has no figures because of the data, once for each reason."""
    said = []
    for (task, reason), group in rows.groupby(["task", "reason"], sort=False):
        fits = group[["system", "setting"]].drop_duplicates().itertuples(index=False, name=None)
        places = "; ".join(run.systems.named(*fit) for fit in fits)
        said.append(f"Left out of {task}: {places}: {reason}")
    return said


def published(run: Run) -> Table | None:
    """Every published figure that this configuration makes beside ours, with a verdict."""
    compared = run.compared
    if compared.empty:
        return None
    keys = ["paper", "table", "row", "system", "setting", "task"]
    blocks = [
        ("{}, table {}, {}: {}, {}, {}".format(*names), plain(group[PUBLISHED]))
        for names, group in compared.groupby(keys, sort=False)
    ]
    counts = ", ".join(f"{name} {n}" for name, n in compared["verdict"].value_counts().items())
    notes = [
        f"Of {len(compared)} figures: {counts}.",
        "Percent, or numbers of documents in both languages that train. Equal: a difference of at "
        "most two standard errors, of the paper's queries and ours, and of at most half of what "
        "lies between the figure and chance. No verdict where the paper's number of queries is not "
        "known, or an option that it states has another value.",
    ]
    return Table(blocks, compared, notes, left=4)


def examples(run: Run) -> Table | None:
    """Some queries and the documents nearest to them, by title; the right one is in bold.

    After the Cr5 paper's Table 2; the queries are random unless the configuration names some.
    """
    ranks, options = run.nearest, run.facts["examples"]
    if ranks.empty:
        return None
    columns = {"query_language": "query", "target_language": "target"}
    ranks = ranks.rename(columns=columns | {"query": "concept", "rank": "rank_of_truth"})
    first = ranks.iloc[0]
    named = run.systems.named(first["system"], first["setting"])
    notes = [
        f"Nearest documents of {named}, by {similarity_name(first['similarity'])}.",
        "A heading a→b means queries in a and candidates in b. The true counterpart is bold, "
        "where it is shown; its rank is that among all candidates.",
    ]
    if asked := options.get("queries"):
        rows, missing = _asked(run, ranks, asked)
        notes += missing
    else:
        rows = _random(run, ranks)
    if rows.empty:
        return Table([], pd.DataFrame(columns=EXAMPLE), notes)
    rows = rows.assign(nearest=rows["nearest"].str[: options["neighbours"]]).explode("nearest")
    rows = rows.assign(
        title=[_title(run, *x) for x in zip(rows["query"], rows["concept"], strict=True)],
        neighbour=[_title(run, *x) for x in zip(rows["target"], rows["nearest"], strict=True)],
        neighbour_rank=1 + rows.groupby(level=0).cumcount(),
    )
    found, name = rows["nearest"] == rows["concept"], rows["neighbour"]
    shown = rows.assign(
        rank_of_truth=rows["rank_of_truth"].map(count), cell=name.mask(found, bold(name))
    )
    keys = ["concept", "title", "rank_of_truth"]
    blocks = [
        (direction(*pair), layout(part, keys, "neighbour_rank").drop(columns="Concept"))
        for pair, part in shown.groupby(["query", "target"], sort=False)
    ]
    return Table(blocks, rows[EXAMPLE], notes, left=99)


def _random(run: Run, ranks: pd.DataFrame) -> pd.DataFrame:
    """Random queries of each direction."""
    generator = np.random.default_rng(run.facts["seed"])
    drawn = ranks[["concept"]].drop_duplicates().sample(frac=1, random_state=generator)
    return by_direction(drawn.merge(ranks)).groupby(["query", "target"]).head(EXAMPLES)


def _asked(
    run: Run, ranks: pd.DataFrame, queries: Sequence[Mapping[str, str]]
) -> tuple[pd.DataFrame, list[str]]:
    """Rows of queries that the configuration names, and a sentence for each that is not there."""
    shown, missing = [], []
    for query in queries:
        language, target = query["query_language"], query["target_language"]
        concept = concept_of(run.titles[language], query["document"])
        of_direction = (ranks["query"] == language) & (ranks["target"] == target)
        rows = ranks[of_direction & (ranks["concept"] == concept)]
        shown.append(rows)
        if rows.empty:
            missing.append(f"No test query of {direction(language, target)}: {query['document']}.")
    return pd.concat(shown).reset_index(drop=True), missing


def _title(run: Run, language: str, concept: str) -> str:
    """Title of a document, or of its concept in the language asked for; or else the concept."""
    common = run.titles.get(run.facts["examples"].get("titles"), {})
    title = common.get(concept) or run.titles[language][concept]
    return " ".join(title.split()) or concept


def languages(run: Run) -> Table:
    """Documents, tokens and vocabulary of each language.

    And what became of its paragraphs, where documents are made of any.
    """
    data, limits = run.statistics, map(count, run.facts["unique_words"])
    notes = ["Kept documents have {} to {} different words (bags.unique_words).".format(*limits)]
    if found := [x["paragraphs"] for x in run.notes.values() if "paragraphs" in x]:
        own = pd.DataFrame(found).convert_dtypes()
        own = own[["language", *own.columns.difference(data.columns, sort=False)]]
        data = data.merge(own, "left", on="language")
        notes.append("Paragraphs dropped: left in English; apart: kept in another language only.")
    return Table([("", plain(data))], data, notes)


def pairs(run: Run) -> Table:
    """Concepts that two languages share: how many train in both, validate and test, by setting."""
    keys, sizes = ["setting", "query", "target"], ["concepts", "train", "validation", "test"]
    means = run.pairs.groupby(keys, sort=False)[sizes].mean().reset_index()
    return Table([("", plain(means))], run.pairs, left=3)


def files(run: Run, *of: str) -> Table:
    """Entries that are there and used, or lines by the first reason not to search for them."""
    return Table([("", plain(run.files[of]))], run.files[of], left=2)
