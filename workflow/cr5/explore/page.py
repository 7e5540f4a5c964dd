"""Write the page: its own files, and a data file for each thing it may request.

index.html, style.css, *.js     the page
data/about.js                   languages, systems, sizes, origin
data/documents-{language}.js    concepts and titles
data/texts-{language}.js        the beginnings of the texts
data/ranks-{system}-{language}.js   what was found for the queries of a language
"""

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cr5.base.artefacts import Artefact, making, together
from cr5.base.errors import UserError
from cr5.counts import documents
from cr5.explore.run import Ranks, Run, find
from cr5.report import record
from cr5.report.names import similarity_name

KIND = "page to explore"
STATIC = Path(__file__).parent / "static"
FIRST = "en"  # query language that the page opens with
QUERIES = 500  # of each direction, on the page
HUBS = 30  # of each direction and measure
SNIPPET = 300  # characters of a document's text
ALL_SNIPPETS = 3_000_000  # characters of a language's
DECIMALS = 4


def write(
    folder: str | Path,
    out: str | Path,
    systems: Sequence[str] = (),
    setting: str | None = None,
) -> Path:
    """Write the page of a finished run to a folder, in place of an earlier one; or nothing.

    The systems and the setting are those named, or the best. Returns the path of its index.html.

    Raises:
        LeftOutError: no system has ranks.
        UserError: the run is not finished, has no such system or setting, or the page's folder
            contains something else.
    """
    run, out = find(Path(folder), setting, systems), Path(out)
    if out.exists() and not _is_page(out):
        raise UserError(f"{out} is there already, and no page: name another folder (--out)")
    with making(out, KIND) as temporary:
        shutil.copytree(STATIC, temporary, dirs_exist_ok=True, copy_function=shutil.copyfile)
        (temporary / "data").mkdir()
        for name, content in _contents(run):
            # a script, as pages opened from disk can load nothing else
            text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
            path = temporary / "data" / f"{name}.js"
            path.write_text(f'put("{name}",{text});\n', encoding="utf-8")
    return out / "index.html"


def _is_page(out: Path) -> bool:
    with suppress(UserError):
        return Artefact(out, KIND).path.is_dir()
    return False


def write_empty(out: str | Path, reason: str) -> None:
    """Write a page that says why there is nothing to explore."""
    with making(out, KIND, reason) as folder:
        (folder / "index.html").write_text(
            f"<!doctype html><meta charset=utf-8><title>Explore</title><p>{escape(reason)}</p>\n",
            encoding="utf-8",
        )


def _contents(run: Run) -> Iterable[tuple[str, Any]]:
    """Yield name and content of each data file."""
    every = {system: run.ranks(system) for system in run.systems}
    ranks = {x: {key: _some(frame) for key, frame in of.items()} for x, of in every.items()}
    languages = sorted({x for of_system in every.values() for key in of_system for x in key[:2]})
    places = [run.folder / "documents" / x for x in languages]
    together(map(Artefact, [*places, *map(run.ranks_of, run.systems)]))
    ids = {x: _shown(ranks.values(), every.values(), x) for x in languages}
    for place, language in zip(places, languages, strict=True):
        titles, texts = _documents(place, language, ids[language])
        yield f"documents-{language}", {"ids": list(ids[language]), "titles": titles}
        yield f"texts-{language}", texts
    for system in run.systems:
        for language in languages:
            content: dict[str, dict[str, Any]] = {}
            for key, frame in ranks[system].items():
                if key[0] == language:
                    measures = content.setdefault(key[1], {"measures": {}})["measures"]
                    measures[key[2]] = _found(key, frame, every[system][key], ids)
            yield f"ranks-{system}-{language}", content
    yield "about", _about(run, languages, ranks, every)


def _some(frame: pd.DataFrame) -> pd.DataFrame:
    """At most `QUERIES`, evenly spaced, the same for each measure."""
    if len(frame) <= QUERIES:
        return frame
    return frame.iloc[np.linspace(0, len(frame) - 1, QUERIES).round().astype(int)]


def _shown(ranks: Iterable[Ranks], every: Iterable[Ranks], language: str) -> pd.Index:
    """Concepts of a language's documents on the page: queries, their neighbours, and hubs."""
    found: set[str] = set()
    for of_system in ranks:
        for (query, target, _), frame in of_system.items():
            if language in (query, target):
                found.update(frame["query"])
            if language == target:
                found.update(concept for each in frame["nearest"] for concept in each)
    for of_system in every:
        for (_, target, _), frame in of_system.items():
            if language == target:
                found.update(concept for concept, _ in _hubs(frame["nearest"]))
    return pd.Index(sorted(found))


def _hubs(nearest: pd.Series) -> list[tuple[str, int]]:
    """The documents most often among the nearest, and of how many queries (N_10)."""
    counts = Counter(concept for each in nearest for concept in each)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:HUBS]


def _documents(place: Path, language: str, ids: pd.Index) -> tuple[list[str], list[str]]:
    """Titles and beginnings of documents."""
    length = min(SNIPPET, ALL_SNIPPETS // max(len(ids), 1))
    found = {
        concept: (title or concept, _begin(text, length))
        for concept, title, text in documents.stream(
            place, ["concept", "title", "text"], language=language
        )
        if concept in ids
    }
    if missing := [x for x in ids if x not in found]:
        raise UserError(
            f"{missing[0]!r} was searched in {language}, and is not among its documents: ranks and "
            "documents are of different runs; run the workflow again (./run)"
        )
    return [found[x][0] for x in ids], [found[x][1] for x in ids]


def _begin(text: str, length: int) -> str:
    words = " ".join(text[: 4 * length].split())
    return words if len(words) <= length else words[:length].rstrip() + "…"


def _found(
    key: tuple[str, str, str],
    frame: pd.DataFrame,
    every: pd.DataFrame,
    ids: Mapping[str, pd.Index],
) -> dict[str, Any]:
    """What was found in a direction by a measure; documents by their numbers on the page."""
    query, target, _ = key
    place = ids[target]
    nearest = np.array(frame["nearest"].tolist())
    return {
        "query": ids[query].get_indexer(frame["query"]).tolist(),
        "true": place.get_indexer(frame["query"]).tolist(),
        "rank": frame["rank"].tolist(),
        "score": _rounded(frame["score"]),
        "nearest": place.get_indexer(nearest.ravel()).reshape(nearest.shape).tolist(),
        "scores": _rounded(np.array(frame["scores"].tolist())),
        "hubs": [[place.get_loc(concept), n] for concept, n in _hubs(every["nearest"])],
        "queries": len(every),
        "candidates": int(every["n_candidates"].iloc[0]),
    }


def _rounded(values: Any) -> list:
    """Numbers, nan as null."""
    values = np.round(np.asarray(values, np.float64), DECIMALS)
    return np.where(np.isnan(values), None, values).tolist()


def _about(
    run: Run, languages: list[str], ranks: Mapping[str, Ranks], every: Mapping[str, Ranks]
) -> dict[str, Any]:
    first, config = ranks[run.systems[0]], record.config_of(run.folder)
    shown, there = _n_queries(first), _n_queries(every[run.systems[0]])
    named = record.systems_of(run.folder)
    of_training = config.get("evaluation", {}).get("csls_neighbourhood") == "training"
    measures = {x: list(dict.fromkeys(name for *_, name in ranks[x])) for x in run.systems}
    for names in measures.values():  # the page opens with the first, as `cr5 search`
        names.sort(key=lambda name: of_training and name != "csls")
    return {
        "corpus": config.get("corpus", {}).get("name", run.folder.name),
        "setting": run.setting,
        "origin": record.made_of(run.folder),
        "left": {"shown": shown, "all": there} if shown < there else None,
        "languages": languages,
        "systems": [
            {"id": x, "name": named.title(x), "measures": measures[x]} for x in run.systems
        ],
        "measures": {x: similarity_name(x) for names in measures.values() for x in names},
        "start": _start(first),
    }


def _n_queries(ranks: Ranks) -> int:
    """Count the queries of all directions, each once, whatever the number of measures."""
    return sum(len(frame) for frame in {key[:2]: frame for key, frame in ranks.items()}.values())


def _start(ranks: Ranks) -> dict[str, Any]:
    """Choose a query to open with."""
    languages = [query for query, *_ in ranks]
    language = FIRST if FIRST in languages else languages[0]
    frame = next(each for key, each in ranks.items() if key[0] == language)
    return {"from": language, "query": frame["query"].iloc[0]}
