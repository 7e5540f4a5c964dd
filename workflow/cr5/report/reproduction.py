"""Every published figure of four papers beside ours, with a verdict if they are comparable.

The papers are those of Cr5 (Josifoski et al. 2019), RCSLS (Joulin et al. 2018), OPCA (Platt et al.
2010) and XCNN (Gupta et al. 2017).

What regenerates which figure is data: `reproduction.csv`, explained in `reproduction.md`. A verdict
is two-sided: equal within the tolerance, higher or lower. There is none if corpus or setting are
not the paper's; an absent figure is missing, not zero. Of languages that a run does not have,
nothing is said.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from cr5.base.tables import read_csv
from cr5.report import published
from cr5.report.published import our_name

PLAN = Path(__file__).with_name("reproduction.csv")
DATA = (PLAN, published.FIGURES)
EQUAL, HIGHER, LOWER = "equal", "higher", "lower"
OTHER, UNJUDGED, MISSING = "other corpus", "not judged", "missing"
FREE = ["module", "directed", "pivot", "starts"]  # options that table rows ignore
FREE += ["ridges", "dimensions", "gammas", "device", "solver", "max_restarts"]
FREE += ["sigma"]  # CPLSA's printed value couples nothing, see reproduction.md
DOCUMENTS = "docs_in_intersection"
PAPERS = {"Cr5": ("1", "3", "4"), "RCSLS": ("1", "2", "3")}  # and their tables
PAPERS |= {"OPCA": ("1", "2", "3", "text"), "XCNN": ("1", "2", "3", "4")}
FRACTIONS = ("OPCA", "XCNN")  # papers that print fractions; others print percent
BOTH = "avg_both"  # the mean over both directions, the only one in OPCA's Tables 1 and 2
UNSTATED = "unstated"  # direction of XCNN's Table 1, compared with the mean over both
SIZE = 0.1  # share by which the number of training concepts may differ
ALSO = {"XCNN": 100_000}  # another such number that the paper states
CELL = ["paper", "table", "row_system", "query", "target", "similarity", "metric"]
MAKES = ["kind", "languages", "system", "task"]
OURS = ["ours", "ci_low", "ci_high", "n_queries", "n_candidates"]
COLUMNS = [
    *[
        *CELL,
        *MAKES,
        "options",
        "measure",
        "setting",
        "our_system",
        "our_task",
        "command",
        "data",
        "hours",
        "published",
        *OURS,
    ],
    *["difference", "tolerance", "because", "verdict", "remark"],
]
PLACE = ["setting", "system", "task", "query", "target", "similarity", "metric"]
SCORES = [*PLACE, "value", "ci_low", "ci_high", "n_queries", "n_candidates"]

Row = Mapping[str, Any]


def plan() -> pd.DataFrame:
    """Read what makes each row of the papers' tables; empty text if nothing does."""
    found = read_csv(PLAN).astype({"table": str})
    texts = [name for name in found if found[name].dtype.kind not in "if"]
    return found.fillna(dict.fromkeys(texts, ""))


@cache
def cells() -> pd.DataFrame:
    """Return every published figure of the tables of `PAPERS`, with what makes it.

    Averages over directions are left out if each direction is published too.

    Returns:
        `CELL`, published (percent, or a number of documents), and the columns of `plan`.
    """
    figures = published.figures()
    tables = figures["table"].str.extract("([0-9]|text)")[0]  # the row 1a is of Table 1
    chosen = pd.Series(False, figures.index)
    for paper, wanted in PAPERS.items():
        chosen |= (figures["paper"] == paper) & tables.isin(wanted)
    average = figures["query_lang"].fillna("").str.startswith("avg")
    chosen &= ~average | (figures["query_lang"] == BOTH)
    names = {"query_lang": "query", "target_lang": "target", "value": "published"}
    figures = figures[chosen].rename(columns=names)[[*CELL, "published"]]
    figures["similarity"] = figures["similarity"].fillna("")
    figures = figures.replace({name: {UNSTATED: BOTH} for name in ("query", "target")})
    percent = (100 * figures["published"]).round(6)
    figures["published"] = percent.where(figures["paper"].isin(FRACTIONS), figures["published"])
    found = figures.merge(plan(), on=CELL[:3], validate="many_to_one")
    return found.assign(tolerance=found["tolerance"].mask(found["metric"] == DOCUMENTS))


def reproduction(
    scores: pd.DataFrame,
    pairs: pd.DataFrame,
    fits: Sequence[Row],
    absent: Mapping[str, Sequence[str]],
    left_out: pd.DataFrame,
) -> pd.DataFrame:
    """Compare this run's figures with the published ones.

    Args:
        scores: long form, with `SCORES`.
        pairs: see `report.corpus`; numbers of training concepts of pairs.
        fits: what is run, see `plan.told.fits`.
        absent: what this project lacks of the plan, by column of `MAKES`.
        left_out: what has no figures because of the data, see `collected.LEFT_OUT`.

    Returns:
        `COLUMNS`: a row per published figure and setting of ours that makes it, or one row without
        a setting; none for pairs with a language that no fit has. Figures are percent, or numbers
        of documents.
    """
    trained = pairs.groupby(["setting", "query", "target"])["train"].mean().to_dict()
    trained = {(setting, frozenset(pair)): n for (setting, *pair), n in trained.items()}
    scores = pd.concat([scores[SCORES], _averages(scores)], ignore_index=True)
    ours = {tuple(row[x] for x in PLACE): row for row in scores.to_dict("records")}
    keys = ["setting", "system", "task"]
    reasons = left_out.groupby(keys, sort=False)["reason"].first().to_dict()
    rows, languages = [], {language for fit in fits for language in fit["languages"]}
    for cell in cells().to_dict("records"):
        if not _pair(cell) <= languages:
            continue
        for fit in _fits_of(cell, fits, trained) or [None]:
            figure = _figure(cell, fit, ours, trained) if fit else {}
            why = fit and reasons.get(tuple(fit[x] for x in keys))
            row = _row(cell, fit, figure, why or _lacks(cell, fit, absent))
            rows.append(_judged(row, fit, cell, trained) if figure else row)
    return pd.DataFrame(rows, columns=COLUMNS)


def _averages(scores: pd.DataFrame) -> pd.DataFrame:
    """Return means over both directions between two languages, where both exist; no intervals."""
    across = scores[scores["query"] != scores["target"]]
    keys = [name for name in PLACE if name not in ("query", "target")]
    found = across.groupby(keys, sort=False)[["value", "n_queries", "n_candidates"]]
    both = found.mean()[found.size() == 2].reset_index()
    return both.assign(query=BOTH, target=BOTH, ci_low=float("nan"), ci_high=float("nan"))[SCORES]


def _pair(cell: Row) -> frozenset[str]:
    """Return a cell's languages: its direction's, unless that is not between two languages."""
    own = frozenset([cell["query"], cell["target"]])
    return own if len(own) == 2 else frozenset(cell["languages"].split())


def _fits_of(cell: Row, fits: Iterable[Row], trained: Mapping) -> list[Row]:
    """Return the fits that make a cell; of several numbers of concepts, the nearest."""
    pair = _pair(cell)
    languages = pair if cell["languages"] == "pair" else frozenset(cell["languages"].split())
    found = [
        fit
        for fit in fits
        if fit["kind"] in cell["kind"].split()
        and (fit["system_module"], fit["task_module"]) == (cell["system"], cell["task"])
        and frozenset(fit["languages"]) == languages
        and _has(fit, cell["options"])
    ]
    if pd.isna(cell["concepts"]) or not found:
        return found
    apart = [abs(trained.get((fit["setting"], pair), 0) - cell["concepts"]) for fit in found]
    return [fit for fit, each in zip(found, apart, strict=True) if each == min(apart)]


def _has(fit: Row, wanted: str) -> bool:
    """Return whether a fit has a row's options, `name=value` separated by spaces.

    A name alone allows any value. Options are those of the system, or with `task.` before their
    name those of the task.
    """
    known = {**fit["options"], **{f"task.{x}": y for x, y in fit["task_options"].items()}}
    pairs = (each.split("=") for each in wanted.split() if "=" in each)
    return all(str(known.get(name)) == value for name, value in pairs)


def _changed(fit: Row, cell: Row) -> list[str]:
    """Return how a system differs from the published one, except in options that the row names."""
    options = fit["options"]
    named = {each.partition("=")[0] for each in cell["options"].split()}
    found = [
        f"{key} is {options[key]}, not {default}"
        for key, default in fit["defaults"].items()
        if key not in {*FREE, *named} and options.get(key, default) != default
    ]
    found += ["a second stage of searches"] if any(options.get("rerank", ())) else []
    # Cr5's paper does not say whether AdvRefine has a map for each direction; the others do
    either_way = cell["protocol"] == "cr5" or options.get("directed", True)
    return found if either_way else ["directed is false", *found]


def _figure(cell: Row, fit: Row, ours: Mapping, trained: Mapping) -> dict[str, float]:
    """Return `OURS` of a cell, empty if there is no figure."""
    if cell["metric"] == DOCUMENTS:
        number = trained.get((fit["setting"], _pair(cell)))
        return {} if number is None else {"ours": number}
    measured = {**cell, "similarity": cell["measure"] or cell["similarity"]}
    measured["metric"] = our_name(cell["metric"])
    row = ours.get((*(fit[x] for x in PLACE[:3]), *(measured[x] for x in PLACE[3:])))
    if row is None or pd.isna(row["value"]):
        return {}
    percent = {x: 100 * row[y] for x, y in zip(OURS, SCORES[7:10], strict=False)}
    return {**percent, "n_queries": row["n_queries"], "n_candidates": row["n_candidates"]}


def _row(cell: Row, fit: Row | None, figure: Mapping[str, float], lacks: str) -> dict[str, Any]:
    names = {"setting": "setting", "our_system": "system", "our_task": "task"}
    run = {column: fit[name] if fit else "" for column, name in names.items()}
    return {**cell, **figure, **run, "verdict": MISSING, "remark": lacks}


def _judged(row: dict[str, Any], fit: Row, cell: Row, trained: Mapping) -> dict[str, Any]:
    """Return the difference of an existing figure, and its verdict."""
    difference = round(row["ours"] - row["published"], 6)
    unlike = [*fit["unlike"][cell["protocol"]], *_changed(fit, cell)]
    unlike += [*_few(row, cell), *_trained(fit, cell, trained)]
    verdict = OTHER if unlike else judged(difference, cell["tolerance"])
    return {**row, "difference": difference, "verdict": verdict, "remark": "; ".join(unlike)}


def judged(difference: float, tolerance: float) -> str:
    """Return the verdict on a difference; empty if there is no tolerance."""
    if pd.isna(tolerance):
        return UNJUDGED
    if abs(difference) <= tolerance:
        return EQUAL
    return HIGHER if difference > 0 else LOWER


def _few(row: Row, cell: Row) -> list[str]:
    """Report fewer candidates, which make a search so much easier that figures are incomparable."""
    few = row.get("n_candidates", cell["candidates"]) < cell["candidates"]
    return [f"there are fewer than {cell['candidates']:,.0f} candidates"] if few else []


def _trained(fit: Row, cell: Row, trained: Mapping) -> list[str]:
    """Report another number of training concepts."""
    wanted, number = cell["concepts"], trained.get((fit["setting"], _pair(cell)))
    if pd.isna(wanted) or number is None:
        return []
    stated = (wanted, ALSO.get(cell["paper"], wanted))
    near = any(abs(number - x) <= SIZE * x for x in stated)
    return [] if near else [f"{number:,.0f} concepts train, not {wanted:,.0f}"]


def _lacks(cell: Row, fit: Row | None, absent: Mapping[str, Sequence[str]]) -> str:
    """Say what is missing for a figure of ours."""
    if not cell["system"]:
        return "the paper quotes it from others; this project has no such system"
    unknown = [f"no {x} {cell[x]}" for x in ("kind", "system", "task") if cell[x] in absent[x]]
    if unknown:
        return f"this project has {' and '.join(unknown)} yet; takes {_takes(cell)}"
    if fit:
        return "no figure by this measure and metric"
    return f"this configuration does not ask for it; takes {_takes(cell)}"


def _takes(cell: Row) -> str:
    return f"{cell['data']}: {cell['hours']}"
