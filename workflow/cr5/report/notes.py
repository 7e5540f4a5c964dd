"""Notes above a table: how far its figures can be trusted and compared."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from cr5.report.markup import count_cell
from cr5.report.names import UNDECLARED, Systems, direction
from cr5.splits.draw import FEW as FEW_QUERIES

PAPER = "of Josifoski et al. (WSDM 2019)"
WORDS = "Table 4"

MORE_DOCUMENTS = (
    "raise splits.max_share.test, bring more documents, or set repetitions (e.g. repetitions: 5)"
)

TURNED = (
    "Its directions are as printed there; Table 3 of Joulin et al. (2018) has its figures of "
    "other systems for the opposite ones."
)

SUCCESS = (
    "Success@k is the share of queries with a relevant document among the k nearest; the Cr5 paper "
    "prints it as P@k."
)
METRICS = (
    "Metrics are those of ir-measures and trec_eval, but ties count against the query: a relevant "
    "document ranks behind all that it ties with."
)

PAPER_CANDIDATES = 200_000
FEW_CANDIDATES = 100_000
"""Below this, the task is so much easier than the paper's that no figure compares."""


def few_queries(counts: pd.Series, remedy: str) -> list[str]:
    """Warn of too few queries, naming the worst place.

    Args:
        counts: numbers of queries, by name of a direction or pair.
        remedy: what to do about it.
    """
    few = counts[counts.round() < FEW_QUERIES]
    if few.empty:
        return []
    others = f" and {len(few) - 1} more" if len(few) > 1 else ""
    worst = f"{few.idxmin()} ({count_cell(few.min())}){others}"
    return [
        f"Fewer than {FEW_QUERIES} queries in {worst}: "
        f"such figures vary by several points between draws; {remedy}."
    ]


def metrics(names: Iterable[str]) -> list[str]:
    """Say what the names of metrics mean."""
    is_success = [name.startswith("Success@") for name in set(names) - {"RR"}]
    return [*([SUCCESS] if any(is_success) else []), *([] if all(is_success) else [METRICS])]


def intervals(scores: pd.DataFrame) -> list[str]:
    """Say what the figures are means over, and where to find their 95 % intervals."""
    repetitions = scores["repetitions"].max()
    means = [f"Means over {repetitions:.0f} repetitions."] if repetitions > 1 else []
    if scores["ci_low"].isna().all():
        return means
    over = "queries and repetitions" if repetitions > 1 else "queries"
    return [*means, f"95 % intervals over {over} (Wilson's) are in the results, in scores.csv."]


def seeds_left_out(
    seeded: Sequence[str], tasks: Sequence[str], systems: Systems = UNDECLARED
) -> list[str]:
    """Say that figures of systems that start from word pairs depend on the tasks of the run.

    Args:
        seeded: these systems.
        tasks: those that ask for translations of words.
        systems: how they are named.
    """
    if not (seeded and tasks):
        return []
    return [
        f"{', '.join(map(systems.title, seeded))}: no word that {' or '.join(tasks)} asks for is "
        "among the pairs to start from, so that runs without this task have other figures."
    ]


def left_out(rows: pd.DataFrame | None, task: str, systems: Systems = UNDECLARED) -> list[str]:
    """Name what has no figures because of the data, once for each reason.

    Args:
        rows: see `collected.LEFT_OUT`; of all tasks.
        task: the table's task.
        systems: how they are named.
    """
    if rows is None or rows.empty:
        return []
    groups = rows[rows["task"] == task].groupby("reason", sort=False)
    return [f"Left out: {_places(group, systems)}: {reason}" for reason, group in groups]


def left_out_of_all(rows: pd.DataFrame | None, systems: Systems = UNDECLARED) -> list[str]:
    """Do the same for all tasks, each after its name."""
    tasks = [] if rows is None else rows["task"].unique()
    return [f"{task}: {each}" for task in tasks for each in left_out(rows, task, systems)]


def _places(group: pd.DataFrame, systems: Systems) -> str:
    """Name systems in settings, and repetitions if there are several."""
    several = group["repetition"].max() > 1
    names = []
    for (system, setting), part in group.groupby(["system", "setting"], sort=False):
        which = f" (repetition {', '.join(map(str, part['repetition']))})" if several else ""
        names.append(f"{systems.curve(system, setting)}{which}")
    return "; ".join(names)


def published(scores: pd.DataFrame, unlike: Iterable[str], printed: str = "Table 1") -> list[str]:
    """Say whose figures are in parentheses, and how far they are comparable.

    Args:
        scores: with the columns `query`, `target`, `published` and `n_candidates`.
        unlike: how this run differs from the paper's, as parts of a sentence.
        printed: the paper's table that has them.
    """
    if scores["published"].isna().all():
        return []
    turned = [TURNED] if printed == WORDS else []
    unlike = [*unlike, *_few_candidates(scores[scores["published"].notna()])]
    if unlike:
        return [
            f"In parentheses: {printed} {PAPER}, for orientation only.",
            f"This run differs from the paper's: {'; '.join(unlike)}.",
            *turned,
        ]
    return [
        f"In parentheses: {printed} {PAPER}.",
        "The paper's text is Wikipedia too, but its dumps, queries and candidates are others: "
        "a difference of a point or two is not meaningful.",
        *turned,
    ]


def _few_candidates(scores: pd.DataFrame) -> list[str]:
    """Say where there are few candidates: in all directions, or in which."""
    most = scores.groupby(["query", "target"], sort=False)["n_candidates"].max()
    few = most[most < FEW_CANDIDATES]
    if few.empty:
        return []
    where = ", ".join(direction(*pair) for pair in few.index)
    where = "" if len(few) == len(most) else f" in {where}"
    return [
        f"{count_cell(few.max())} candidates at most{where}, not {count_cell(PAPER_CANDIDATES)}"
    ]


def of_sentences(bundles: Iterable[Mapping[str, Any]], languages: Sequence[str]) -> list[str]:
    """Say how many sentences of each pair were left out and why, and which pairs have none.

    Args:
        bundles: `aligned.about` of each; empty for tasks without parallel text.
        languages: the configuration's languages.
    """
    bundles = list(bundles)
    if not bundles:
        return []
    said = [_bundle(bundle) for bundle in bundles]
    known = {frozenset((x["first"], x["second"])) for bundle in bundles for x in bundle["pairs"]}
    lacking = [x for x in combinations(sorted(languages), 2) if frozenset(x) not in known]
    if lacking:
        said.append(f"No parallel file: {', '.join(map('–'.join, lacking))}.")
    return said


def _bundle(bundle: Mapping[str, Any]) -> str:
    of_corpus, least = bundle["of_corpus"], bundle["min_words"]
    what = "Paragraphs that a language of the pair has" if of_corpus else "Parallel lines"
    empty = "in one of them only" if of_corpus else "empty"
    reasons = {"empty": empty, "double": "with the words of another"}
    if least > 1:
        reasons["short"] = f"of fewer than {least} words"
    pairs = [_pair(pair, reasons) for pair in bundle["pairs"]]
    return f"{what}: {'; '.join(pairs)}. The rest can be queries."


def _pair(pair: Mapping[str, Any], reasons: Mapping[str, str]) -> str:
    left_out = ", ".join(f"{count_cell(pair[key])} {said}" for key, said in reasons.items())
    return f"{pair['first']}–{pair['second']} {count_cell(pair['lines'])}, of these {left_out}"
