"""Write the page: its own files, and a file of data for each thing it may request.

index.html, page.js, style.css      the page
data/documents-{language}.js        by concept, title and beginning of documents; which are queries
data/ranks-{system}-{language}.js   by target language, measure and query, what was found
"""

import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import pandas as pd

from cr5.base.artefacts import NO_JOB, Artefact, Job, is_made, together
from cr5.base.errors import LeftOutError, UserError
from cr5.counts import documents
from cr5.fitting.options import DOCUMENTS
from cr5.report.names import Systems, similarity_name
from cr5.report.run import recorded
from cr5.retrieval import loading
from cr5.scores.ranks import DIRECTION, left_out, nearest

KIND = "page to explore"
STATIC = Path(__file__).parent / "static"
SHOWN = ["rank", "score", "n_candidates", "nearest", "scores"]  # of a query
FIRST = "en"  # query language that the page opens with
QUERIES = 500  # of each direction at most, evenly taken
SNIPPET = 300  # characters of a document's text
ALL_SNIPPETS = 3_000_000  # characters of a language's
DECIMALS = 4
MOST_SYSTEMS = 4


def ranked(run: Path) -> list[Path]:
    """Return the ranks of documents, in the first repetition, that the record of a run names."""
    fits = recorded(run)["fits"]
    found = [(setting, system) for setting, system, task in fits if task == DOCUMENTS]
    return [run / "ranks" / setting / system / "1" / DOCUMENTS for setting, system in found]


def find(
    folder: Path,
    ranks: Iterable[str | Path],
    setting: str | None = None,
    systems: Sequence[str] = (),
) -> tuple[str, dict[str, Path]]:
    """Choose a setting and systems among the ranks of a run: those named, or the best by Success@1.

    LeftOutError: no system has ranks.
    """
    places = {}
    for path in sorted(map(Path, ranks)):
        places[path.parents[2].name, path.parents[1].name] = path
    best = [fit for fit in [*loading.best(folder), loading.FIRST, *places] if fit in places]
    settings = sorted({name for name, _ in places})
    chosen = setting or _shown_first(best)
    ranked: dict[str, Path] = {}  # by system, the best first
    for name, system in best:
        if name == chosen and not left_out(places[name, system]):
            ranked[system] = places[name, system]
    if not ranked:
        raise LeftOutError(
            f"{folder}/ranks/{chosen}: no system has ranks of the task {DOCUMENTS}; settings that "
            f"are there: {', '.join(settings) or 'none'}"
        )
    for system in systems:
        if system not in ranked:
            there = ", ".join(ranked)
            raise UserError(f"{folder}/ranks/{chosen}: no ranks of {system}; there: {there}")
        if systems.count(system) > 1:
            raise UserError(f"{system} is named more than once; expected each system once")
    return chosen, {x: ranked[x] for x in systems or [*ranked][:MOST_SYSTEMS]}


def _shown_first(best: Sequence[tuple[str, str]]) -> str:
    """Return the setting that is shown: the joint one if there is one, or that of the best fit."""
    joint, _ = loading.FIRST
    settings = [setting for setting, _ in best]
    return joint if joint in settings or not settings else settings[0]


def write(
    folder: str | Path,
    out: str | Path,
    setting: str,
    places: Mapping[str, Path],
    job: Job = NO_JOB,
) -> Path:
    """Write the page of a finished run to a folder, in place of an earlier one; or nothing.

    It has a setting and the ranks of systems, as `find` chooses them. Returns the path of its
    index.html.
    """
    folder, out = Path(folder), Path(out)
    if out.exists() and not is_made(out, KIND):
        raise UserError(f"{out} is there already, and no page: name another folder (--out)")
    made = recorded(folder)
    config = made["config"]
    ranks = pd.concat([nearest(y, setting=setting, system=x) for x, y in places.items()])
    of_direction = ranks.groupby(["system", *DIRECTION])["query"]
    step = np.ceil(of_direction.transform("size") / QUERIES)
    ranks = ranks[of_direction.cumcount() % step == 0]
    if config["evaluation"]["csls_neighbourhood"] == "training":
        # the page opens with the first measure, as `cr5 search` takes it
        ranks = ranks.sort_values("similarity", key=lambda x: x != "csls", kind="stable")
    queries = sorted(ranks["query_language"].unique(), key=lambda x: (x != FIRST, x))
    languages = sorted({*queries, *ranks["target_language"]})
    together(map(Artefact, [*(folder / "documents" / x for x in languages), *places.values()]))
    shown = {
        "corpus": config["corpus"]["name"],
        "setting": setting,
        "made": made["made"],
        "most": QUERIES,
        "queries": {x: x for x in queries},
        "languages": {x: x for x in languages},
        "systems": {x: Systems(made["systems"]).title(x) for x in places},
        "measures": {x: similarity_name(x) for x in ranks["similarity"].unique()},
    }
    with job.making(out, KIND) as temporary:
        shutil.copytree(STATIC, temporary, dirs_exist_ok=True, copy_function=shutil.copyfile)
        index = temporary / "index.html"
        template = index.read_text(encoding="utf-8")
        template = jinja2.Template(template, autoescape=True, trim_blocks=True)
        index.write_text(template.render(shown), encoding="utf-8")
        (temporary / "data").mkdir()
        for name, content in _data(folder / "documents", ranks):
            # a script, as pages opened from disk can load nothing else
            text = pd.Series(content).to_json(double_precision=DECIMALS, force_ascii=False)
            path = temporary / "data" / f"{name}.js"
            path.write_text(f'data["{name}"] = {text};\n', encoding="utf-8")
    return out / "index.html"


def write_empty(out: str | Path, reason: str, job: Job = NO_JOB) -> None:
    """Write a page that says why there is nothing to explore."""
    with job.making(out, KIND, reason) as folder:
        (folder / "index.html").write_text(
            f"<!doctype html><meta charset=utf-8><title>Explore</title><p>{escape(reason)}</p>\n",
            encoding="utf-8",
        )


def _data(folder: Path, ranks: pd.DataFrame) -> Iterator[tuple[str, Any]]:
    """Yield name and content of each data file: ranks, then the documents that they name."""
    for (system, language), own in ranks.groupby(["system", "query_language"]):
        found: dict[str, dict[str, pd.DataFrame]] = defaultdict(dict)
        for (target, measure), every in own.groupby(["target_language", "similarity"], sort=False):
            found[target][measure] = every.set_index("query")[SHOWN]
        yield f"ranks-{system}-{language}", found
    for language in {*ranks["query_language"], *ranks["target_language"]}:
        queries = {*ranks.loc[ranks["query_language"] == language, "query"]}
        searched = ranks[ranks["target_language"] == language]
        ids = queries.union(searched["query"], *searched["nearest"])
        length = min(SNIPPET, ALL_SNIPPETS // len(ids))
        rows = documents.stream(folder / language, language=language)
        there = {x: (title or x, beginning(text, length)) for x, title, text in rows if x in ids}
        by_title = sorted(queries, key=lambda x: (there[x][0].casefold(), x))
        yield f"documents-{language}", {"queries": by_title, "documents": there}


def beginning(text: str, length: int = SNIPPET) -> str:
    """Whole words, of at most so many characters."""
    words = " ".join(text[: 4 * length].split())
    return words if len(words) <= length else words[:length].rstrip() + "…"
