"""Write the page: its own files, and a data file for each thing it may request.

index.html, style.css, *.js     the page
data/about.js                   languages, systems, sizes, origin
data/documents-{language}.js    concepts and titles
data/texts-{language}.js        the beginnings of the texts
data/ranks-{system}-{language}.js   what was found for the queries of a language
"""

import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cr5.base.artefacts import Artefact, is_made, making, together
from cr5.base.errors import LeftOutError, UserError
from cr5.counts import documents
from cr5.explore import TASK, setting_of
from cr5.report.names import Systems, similarity_name
from cr5.report.run import recorded
from cr5.retrieval import loading
from cr5.scores.ranks import DIRECTION, left_out, nearest

KIND = "page to explore"
STATIC = Path(__file__).parent / "static"
FIRST = "en"  # query language that the page opens with
QUERIES = 500  # of each direction, on the page
HUBS = 30  # of each direction and measure
SNIPPET = 300  # characters of a document's text
ALL_SNIPPETS = 3_000_000  # characters of a language's
DECIMALS = 4
MOST_SYSTEMS = 4

Key = tuple[str, str, str, str]
"""System, query language, target language, measure."""
Ranks = Mapping[Key, pd.DataFrame]
"""A row per query: query, n_candidates, nearest (concepts, best first) and their scores, rank and
score of the true counterpart."""


@dataclass(frozen=True)
class Run:
    """One setting of a run, the folder of its results, with the systems to show, in their order."""

    folder: Path
    setting: str
    systems: tuple[str, ...] = ()

    def ranks_of(self, system: str) -> Path:
        """Return the place of a system's ranks."""
        return self.folder / "ranks" / self.setting / system / "1" / TASK

    def ranks(self) -> Ranks:
        """Read the ranks of all systems."""
        found = {}
        for system in self.systems:
            of = nearest(self.ranks_of(system), setting=self.setting, system=system)
            by_direction = of.groupby(list(DIRECTION), sort=False)
            found |= {(system, *direction): frame for direction, frame in by_direction}
        return found


def find(folder: Path, setting: str | None = None, systems: Sequence[str] = ()) -> Run:
    """Choose a setting and systems to show: those named, or the best by Success@1."""
    settings = sorted({path.parents[2].name for path in folder.glob(f"ranks/*/*/1/{TASK}")})
    if not settings:
        raise UserError(
            f"{folder}/ranks: no ranks of the task {TASK}; expected the folder of a finished run, "
            "such as results/libreoffice_help: run the workflow first (./run)"
        )
    chosen = setting or setting_of(settings)
    if chosen not in settings:
        said = f"no setting {chosen!r}" if chosen else "name a setting"
        raise UserError(f"{folder}/ranks: {said}; there: {', '.join(settings)}")
    run = Run(folder, chosen)
    every = sorted(path.name for path in (folder / "ranks" / chosen).iterdir())
    without = {x: y["reason"] for x in every if (y := left_out(run.ranks_of(x)))}
    best = [system for _, system in loading.best(folder, setting=chosen)]
    there = [x for x in dict.fromkeys([*best, *every]) if x in every and x not in without]
    for system in systems:
        if system not in there:
            why = without.get(system, "no such system")
            raise UserError(f"{run.ranks_of(system)}: {why}; there: {', '.join(there)}")
    if not there:
        raise LeftOutError(f"{folder}/ranks/{chosen}: no system has ranks of the task {TASK}")
    return Run(folder, chosen, tuple(dict.fromkeys(systems)) or tuple(there[:MOST_SYSTEMS]))


def write(
    folder: str | Path, out: str | Path, systems: Sequence[str] = (), setting: str | None = None
) -> Path:
    """Write the page of a finished run to a folder, in place of an earlier one; or nothing.

    The systems and the setting are those named, or the best. Returns the path of its index.html.
    LeftOutError: no system has ranks.
    """
    run, out = find(Path(folder), setting, systems), Path(out)
    if out.exists() and not is_made(out, KIND):
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


def write_empty(out: str | Path, reason: str) -> None:
    """Write a page that says why there is nothing to explore."""
    with making(out, KIND, reason) as folder:
        (folder / "index.html").write_text(
            f"<!doctype html><meta charset=utf-8><title>Explore</title><p>{escape(reason)}</p>\n",
            encoding="utf-8",
        )


def _contents(run: Run) -> Iterable[tuple[str, Any]]:
    """Yield name and content of each data file."""
    ranks = run.ranks()
    ids = _shown(ranks)
    places = {x: run.folder / "documents" / x for x in ids}
    together(map(Artefact, [*places.values(), *map(run.ranks_of, run.systems)]))
    for language, place in places.items():
        titles, texts = _documents(place, language, ids[language])
        yield f"documents-{language}", {"ids": list(ids[language]), "titles": titles}
        yield f"texts-{language}", texts
    contents: dict[str, Any] = {f"ranks-{x}-{y}": {} for x in run.systems for y in ids}
    for (system, query, target, measure), frame in ranks.items():
        content = contents[f"ranks-{system}-{query}"].setdefault(target, {"measures": {}})
        content["measures"][measure] = _found(frame, ids[query], ids[target])
    yield from contents.items()
    yield "about", _about(run, list(ids), ranks)


def _some(frame: pd.DataFrame) -> pd.DataFrame:
    """At most `QUERIES`, evenly spaced, the same for each measure."""
    if len(frame) <= QUERIES:
        return frame
    return frame.iloc[np.linspace(0, len(frame) - 1, QUERIES).round().astype(int)]


def _shown(ranks: Ranks) -> dict[str, pd.Index]:
    """Concepts on the page of each language's documents: queries, their neighbours, and hubs."""
    found: dict[str, set[str]] = defaultdict(set)
    for (_, query, target, _), frame in ranks.items():
        some = _some(frame)
        found[query].update(some["query"])
        found[target].update(some["query"], *some["nearest"], (x for x, _ in _hubs(frame)))
    return {x: pd.Index(sorted(found[x])) for x in sorted(found)}


def _hubs(frame: pd.DataFrame) -> list[tuple[str, int]]:
    """The documents most often among the nearest, and of how many queries (N_10)."""
    counts = Counter(chain.from_iterable(frame["nearest"]))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:HUBS]


def _documents(place: Path, language: str, ids: pd.Index) -> tuple[list[str], list[str]]:
    """Titles and beginnings of documents."""
    length = min(SNIPPET, ALL_SNIPPETS // max(len(ids), 1))
    rows = documents.stream(place, ["concept", "title", "text"], language=language)
    found = {x: (title or x, _begin(text, length)) for x, title, text in rows if x in ids}
    return [found[x][0] for x in ids], [found[x][1] for x in ids]


def _begin(text: str, length: int) -> str:
    words = " ".join(text[: 4 * length].split())
    return words if len(words) <= length else words[:length].rstrip() + "…"


def _found(every: pd.DataFrame, asked: pd.Index, there: pd.Index) -> dict[str, Any]:
    """What was found in a direction by a measure; documents by their numbers on the page."""
    frame = _some(every)
    near = np.array(frame["nearest"].tolist())
    return {
        "query": asked.get_indexer(frame["query"]).tolist(),
        "true": there.get_indexer(frame["query"]).tolist(),
        "rank": frame["rank"].tolist(),
        "score": _rounded(frame["score"]),
        "nearest": there.get_indexer(near.ravel()).reshape(near.shape).tolist(),
        "scores": _rounded(np.array(frame["scores"].tolist())),
        "hubs": [[there.get_loc(concept), n] for concept, n in _hubs(every)],
        "queries": len(every),
        "candidates": int(every["n_candidates"].iloc[0]),
    }


def _rounded(values: Any) -> list:
    """Numbers, nan as null."""
    values = np.round(np.asarray(values, np.float64), DECIMALS)
    return np.where(np.isnan(values), None, values).tolist()


def _about(run: Run, languages: list[str], ranks: Ranks) -> dict[str, Any]:
    made = recorded(run.folder)
    config, named = made.get("config", {}), Systems(made.get("systems", {}))
    # by direction, whatever the number of measures
    first = {key[1:3]: frame for key, frame in ranks.items() if key[0] == run.systems[0]}
    shown = sum(min(len(frame), QUERIES) for frame in first.values())
    there = sum(map(len, first.values()))
    start = next(((x, y) for x, y in first if x == FIRST), next(iter(first)))
    of_training = config.get("evaluation", {}).get("csls_neighbourhood") == "training"
    measures = {
        x: list(dict.fromkeys(key[-1] for key in ranks if key[0] == x)) for x in run.systems
    }
    for names in measures.values():  # the page opens with the first, as `cr5 search`
        names.sort(key=lambda name: of_training and name != "csls")
    return {
        "corpus": config.get("corpus", {}).get("name", run.folder.name),
        "setting": run.setting,
        "origin": made.get("made", ""),
        "left": {"shown": shown, "all": there} if shown < there else None,
        "languages": languages,
        "systems": [{"id": x, "name": named.title(x), "measures": y} for x, y in measures.items()],
        "measures": {x: similarity_name(x) for names in measures.values() for x in names},
        "start": {"from": start[0], "query": first[start]["query"].iloc[0]},
    }
