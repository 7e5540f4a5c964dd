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
from cr5.scores.ranks import SEARCH, left_out, read_queries

KIND = "page to explore"
STATIC = Path(__file__).parent / "static"
SHOWN = ["rank", "score", "n_candidates", "nearest", "scores"]  # of a query
SEARCH_OF_SYSTEM = ["system"] + SEARCH
FIRST = "en"  # query language that the page opens with
QUERIES = 500  # of each direction at most, evenly taken
SNIPPET = 300  # characters of a document's text
ALL_SNIPPETS = 3_000_000  # characters of a language's
DECIMALS = 4
MOST_SYSTEMS = 4


def ranked(run: Path) -> list[Path]:
    """Return the ranks of documents, in the first repetition, that the record of a run names."""
    ranks = run / "ranks"
    folders = []
    for setting, system, task in recorded(run)["fits"]:
        if task == DOCUMENTS:
            folders.append(ranks / setting / system / "1" / DOCUMENTS)
    return folders


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
    paths = [Path(path) for path in ranks]
    for path in sorted(paths):
        folder_of_system = path.parents[1]
        folder_of_setting = path.parents[2]
        places[folder_of_setting.name, folder_of_system.name] = path
    fits = list(loading.best(folder)) + [loading.FIRST] + list(places)
    best_fits = [fit for fit in fits if fit in places]
    chosen = setting or _shown_first(best_fits)
    ranked: dict[str, Path] = {}  # by system, the best first
    for fit in best_fits:
        setting_of_fit, system = fit
        place = places[fit]
        if setting_of_fit == chosen and not left_out(place):
            ranked[system] = place
    folder_of_ranks = f"{folder}/ranks/{chosen}"
    if not ranked:
        settings = {setting_there for setting_there, _ in places}
        known = ", ".join(sorted(settings)) or "none"
        raise LeftOutError(
            f"{folder_of_ranks}: no system has ranks of the task {DOCUMENTS}; settings that "
            f"are there: {known}"
        )
    _check_ranked(systems, ranked, folder_of_ranks)
    names = systems or list(ranked)[:MOST_SYSTEMS]
    return chosen, {system: ranked[system] for system in names}


def _check_ranked(systems: Sequence[str], ranked: Iterable[str], place: str) -> None:
    """Raise `UserError` if a system has no ranks, or is named twice."""
    for system in systems:
        if system not in ranked:
            known = ", ".join(ranked)
            raise UserError(f"{place}: no ranks of {system}; there: {known}")
        if systems.count(system) > 1:
            raise UserError(f"{system} is named more than once; expected each system once")


def _shown_first(best_fits: Sequence[tuple[str, str]]) -> str:
    """Return the setting that is shown: that of the best fit, but the joint one if there is one."""
    joint, _ = loading.FIRST
    settings = [setting for setting, _ in best_fits]
    if not settings or joint in settings:
        return joint
    return settings[0]


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
    folder_of_documents = folder / "documents"
    inputs = [folder_of_documents / language for language in _languages(ranks)]
    inputs += places.values()
    together(Artefact(path) for path in inputs)
    choices = _choices(record, setting, list(places), ranks)
    with job.making(out, KIND) as temporary:
        shutil.copytree(STATIC, temporary, dirs_exist_ok=True, copy_function=shutil.copyfile)
        _fill_index(temporary / "index.html", choices)
        data = temporary / "data"
        data.mkdir()
        for name, content in _data(folder_of_documents, ranks):
            # a script, as pages opened from disk can load nothing else
            text = pd.Series(content).to_json(double_precision=DECIMALS, force_ascii=False)
            script = f'data["{name}"] = {text};\n'
            (data / f"{name}.js").write_text(script, encoding="utf-8")
    return out / "index.html"


def _languages(ranks: pd.DataFrame) -> list[str]:
    """Return the languages of queries and of what is searched."""
    languages = set(ranks["query_language"])
    languages.update(ranks["target_language"])
    return sorted(languages)


def _choices(
    record: Mapping[str, Any], setting: str, system_names: Sequence[str], ranks: pd.DataFrame
) -> dict[str, Any]:
    """Return what the page says of the run, and what it lets choose, by name and as printed."""
    systems = Systems(record["systems"])
    corpus = record["config"]["corpus"]
    query_languages = ranks["query_language"].unique()
    in_order = sorted(query_languages, key=_first_in_front)
    measures = ranks["similarity"].unique()
    return {
        "corpus": corpus["name"],
        "setting": setting,
        "made": record["made"],
        "most": QUERIES,
        "queries": {language: language for language in in_order},
        "languages": {language: language for language in _languages(ranks)},
        "systems": {system: systems.title(system) for system in system_names},
        "measures": {measure: similarity_name(measure) for measure in measures},
    }


def _first_in_front(language: str) -> tuple[bool, str]:
    """Return a key to sort languages by: the one that the page opens with, then the others."""
    return language != FIRST, language


def _shown_ranks(
    places: Mapping[str, Path], setting: str, config: Mapping[str, Any]
) -> pd.DataFrame:
    """Read the queries that are shown, the measure in front by which the page opens."""
    frames = []
    for system, path in places.items():
        queries = read_queries(path, setting=setting, system=system)
        frames.append(queries)
    ranks = pd.concat(frames)
    searches = ranks.groupby(SEARCH_OF_SYSTEM)["query"]
    n_queries = searches.transform("size")
    step = np.ceil(n_queries / QUERIES)
    is_shown = searches.cumcount() % step == 0
    ranks = ranks[is_shown]
    evaluation = config["evaluation"]
    if evaluation["csls_neighbourhood"] != "training":
        return ranks
    # the page opens with the first measure, as `cr5 search` takes it
    is_csls = ranks["similarity"] == "csls"
    is_after = ~is_csls.to_numpy()
    order = is_after.argsort(kind="stable")
    return ranks.iloc[order]


def _fill_index(path: Path, choices: Mapping[str, Any]) -> None:
    """Fill in what is said and chosen in the page itself."""
    text = path.read_text(encoding="utf-8")
    template = jinja2.Template(text, autoescape=True, trim_blocks=True)
    page = template.render(choices)
    path.write_text(page, encoding="utf-8")


def write_empty(out: str | Path, reason: str, job: Job = NO_JOB) -> None:
    """Write a page that says why there is nothing to explore."""
    page = f"<!doctype html><meta charset=utf-8><title>Explore</title><p>{escape(reason)}</p>\n"
    with job.making(out, KIND, reason) as folder:
        (folder / "index.html").write_text(page, encoding="utf-8")


def _data(folder: Path, ranks: pd.DataFrame) -> Iterator[tuple[str, Any]]:
    """Yield name and content of each data file: ranks, then the documents that they name."""
    by_file = ranks.groupby(["system", "query_language"])
    for (system, language), queries in by_file:
        yield f"ranks-{system}-{language}", _results(queries)
    for language in _languages(ranks):
        documents_of = folder / language
        yield f"documents-{language}", _documents(documents_of, language, ranks)


def _results(queries: pd.DataFrame) -> dict[str, dict[str, pd.DataFrame]]:
    """Return what was found for queries, by target language and measure."""
    results: dict[str, dict[str, pd.DataFrame]] = {}
    searches = queries.groupby(["target_language", "similarity"], sort=False)
    for (target_language, measure), rows in searches:
        by_query = rows.set_index("query")
        by_measure = results.setdefault(target_language, {})
        by_measure[measure] = by_query[SHOWN]
    return results


def _documents(folder: Path, language: str, ranks: pd.DataFrame) -> dict[str, Any]:
    """Return the queries of a language by title, and title and beginning of all its documents."""
    is_asked = ranks["query_language"] == language
    asked = ranks[is_asked]
    is_searched = ranks["target_language"] == language
    searched = ranks[is_searched]
    query_ids = set(asked["query"])
    ids = query_ids.union(searched["query"])
    for neighbours in searched["nearest"]:
        ids.update(neighbours)
    length = min(SNIPPET, ALL_SNIPPETS // len(ids))
    shown = {}
    for concept, title, text in documents.stream(folder, language=language):
        if concept in ids:
            snippet = beginning(text, length)
            shown[concept] = (title or concept, snippet)

    def by_title(concept: str) -> tuple[str, str]:
        title, _ = shown[concept]
        return title.casefold(), concept

    return {"queries": sorted(query_ids, key=by_title), "documents": shown}


def beginning(text: str, length: int = SNIPPET) -> str:
    """Return the first characters, without line breaks, and dots if there are more."""
    enough_text = text[: 4 * length]
    words = " ".join(enough_text.split())
    if len(words) <= length:
        return words
    shortened = words[:length]
    return shortened.rstrip() + "…"
