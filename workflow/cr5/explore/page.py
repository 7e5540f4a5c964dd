"""Write the page: its own files, and a file of data for each thing it may request.

index.html, page.js, style.css      the page
data/documents-{language}.js        by concept, title and beginning of documents; which are queries
data/ranks-{system}-{language}.js   by target language, measure and query, what was found
"""

import shutil
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
from cr5.scores.ranks import SEARCH, left_out, nearest

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
    return [
        run / "ranks" / setting / system / "1" / DOCUMENTS
        for setting, system, task in fits
        if task == DOCUMENTS
    ]


def find(
    folder: Path,
    ranks: Iterable[str | Path],
    setting: str | None = None,
    systems: Sequence[str] = (),
) -> tuple[str, dict[str, Path]]:
    """Choose a setting and systems among the ranks of a run: those named, or the best by Success@1.

    LeftOutError: no system has ranks.
    """
    places = {}  # by setting and system
    for path in sorted(Path(path) for path in ranks):
        places[path.parents[2].name, path.parents[1].name] = path
    by_value = [*loading.best(folder), loading.FIRST, *places]
    best = [fit for fit in by_value if fit in places]
    chosen = setting or _shown_first(best)
    ranked: dict[str, Path] = {}  # by system, the best first
    for name, system in best:
        if name == chosen and not left_out(places[name, system]):
            ranked[system] = places[name, system]
    if not ranked:
        settings = sorted({name for name, _ in places})
        raise LeftOutError(
            f"{folder}/ranks/{chosen}: no system has ranks of the task {DOCUMENTS}; settings that "
            f"are there: {', '.join(settings) or 'none'}"
        )
    for system in systems:
        if system not in ranked:
            known = ", ".join(ranked)
            raise UserError(f"{folder}/ranks/{chosen}: no ranks of {system}; there: {known}")
        if systems.count(system) > 1:
            raise UserError(f"{system} is named more than once; expected each system once")
    names = systems or list(ranked)[:MOST_SYSTEMS]
    return chosen, {system: ranked[system] for system in names}


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
    folder = Path(folder)
    out = Path(out)
    if out.exists() and not is_made(out, KIND):
        raise UserError(f"{out} is there already, and no page: name another folder (--out)")
    record = recorded(folder)
    ranks = _shown_ranks(places, setting, record["config"])
    query_languages = sorted(ranks["query_language"].unique(), key=_first_in_front)
    languages = sorted({*query_languages, *ranks["target_language"]})
    texts = [folder / "documents" / language for language in languages]
    together(Artefact(path) for path in [*texts, *places.values()])
    systems = Systems(record["systems"])
    shown = {
        "corpus": record["config"]["corpus"]["name"],
        "setting": setting,
        "made": record["made"],
        "most": QUERIES,
        "queries": {language: language for language in query_languages},
        "languages": {language: language for language in languages},
        "systems": {system: systems.title(system) for system in places},
        "measures": {name: similarity_name(name) for name in ranks["similarity"].unique()},
    }
    with job.making(out, KIND) as temporary:
        shutil.copytree(STATIC, temporary, dirs_exist_ok=True, copy_function=shutil.copyfile)
        _fill_index(temporary / "index.html", shown)
        (temporary / "data").mkdir()
        for name, content in _data(folder / "documents", ranks):
            # a script, as pages opened from disk can load nothing else
            text = pd.Series(content).to_json(double_precision=DECIMALS, force_ascii=False)
            path = temporary / "data" / f"{name}.js"
            path.write_text(f'data["{name}"] = {text};\n', encoding="utf-8")
    return out / "index.html"


def _first_in_front(language: str) -> tuple[bool, str]:
    return language != FIRST, language


def _shown_ranks(
    places: Mapping[str, Path], setting: str, config: Mapping[str, Any]
) -> pd.DataFrame:
    """Read the queries that are shown, the measure in front by which the page opens."""
    frames = [nearest(path, setting=setting, system=system) for system, path in places.items()]
    ranks = pd.concat(frames)
    searches = ranks.groupby(["system", *SEARCH])["query"]
    step = np.ceil(searches.transform("size") / QUERIES)
    ranks = ranks[searches.cumcount() % step == 0]
    if config["evaluation"]["csls_neighbourhood"] != "training":
        return ranks
    # the page opens with the first measure, as `cr5 search` takes it
    order = (ranks["similarity"] != "csls").to_numpy().argsort(kind="stable")
    return ranks.iloc[order]


def _fill_index(path: Path, shown: Mapping[str, Any]) -> None:
    text = path.read_text(encoding="utf-8")
    template = jinja2.Template(text, autoescape=True, trim_blocks=True)
    path.write_text(template.render(shown), encoding="utf-8")


def write_empty(out: str | Path, reason: str, job: Job = NO_JOB) -> None:
    """Write a page that says why there is nothing to explore."""
    with job.making(out, KIND, reason) as folder:
        (folder / "index.html").write_text(
            f"<!doctype html><meta charset=utf-8><title>Explore</title><p>{escape(reason)}</p>\n",
            encoding="utf-8",
        )


def _data(folder: Path, ranks: pd.DataFrame) -> Iterator[tuple[str, Any]]:
    """Yield name and content of each data file: ranks, then the documents that they name."""
    for (system, language), of_queries in ranks.groupby(["system", "query_language"]):
        results: dict[str, dict[str, pd.DataFrame]] = {}  # by target language and measure
        searches = of_queries.groupby(["target_language", "similarity"], sort=False)
        for (target_language, measure), of_search in searches:
            by_measure = results.setdefault(target_language, {})
            by_measure[measure] = of_search.set_index("query")[SHOWN]
        yield f"ranks-{system}-{language}", results
    for language in {*ranks["query_language"], *ranks["target_language"]}:
        yield f"documents-{language}", _documents(folder / language, language, ranks)


def _documents(folder: Path, language: str, ranks: pd.DataFrame) -> dict[str, Any]:
    """Return the queries of a language by title, and title and beginning of all its documents."""
    query_ids = set(ranks.loc[ranks["query_language"] == language, "query"])
    searched = ranks[ranks["target_language"] == language]
    ids = query_ids.union(searched["query"], *searched["nearest"])
    length = min(SNIPPET, ALL_SNIPPETS // len(ids))
    shown = {}
    for concept, title, text in documents.stream(folder, language=language):
        if concept in ids:
            shown[concept] = (title or concept, beginning(text, length))

    def by_title(concept: str) -> tuple[str, str]:
        title, _ = shown[concept]
        return title.casefold(), concept

    return {"queries": sorted(query_ids, key=by_title), "documents": shown}


def beginning(text: str, length: int = SNIPPET) -> str:
    """Return whole words, of at most so many characters."""
    words = " ".join(text[: 4 * length].split())
    return words if len(words) <= length else words[:length].rstrip() + "…"
