"""Write the page: its own files, and a data file for each thing it may request.

index.html, style.css, *.js     the page
data/about.js                   languages, systems, sizes, origin
data/documents-{language}.js    concepts and titles
data/texts-{language}.js        the beginnings of the texts
data/ranks-{system}-{language}.js   what was found for the queries of a language
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cr5.base.artefacts import Artefact, making, together
from cr5.base.errors import UserError
from cr5.explore import encoded
from cr5.explore.found import found
from cr5.explore.run import Run, find
from cr5.explore.scored import Scorer, Space
from cr5.explore.shelves import QUERIES, Ranks, Shelf, shelf, shown, snippets
from cr5.models.contract import Model
from cr5.report import record
from cr5.report.names import similarity_name
from cr5.retrieval.results import Results
from cr5.search.options import SearchOptions
from cr5.splits.drawn import Draw

KIND = "page to explore"
OURS = Path("data") / "about.js"
STATIC = Path(__file__).parent / "static"
FIRST = "en"  # query language that the page opens with


def write(
    folder: str | Path,
    out: str | Path,
    systems: Sequence[str] = (),
    setting: str | None = None,
    classes: Iterable[type[Model]] = (),
    most: int = QUERIES,
    threads: int = 1,
    say: Callable[[str], None] = lambda _: None,
) -> Path:
    """Write the page of a finished run atomically; it replaces an earlier one.

    Args:
        folder: the corpus's folder below `results`.
        out: folder of the page.
        systems: the systems to show; by default the setting's best.
        setting: by default joint or the only one.
        classes: that models may be of besides ours.
        most: queries of each direction that can be chosen.
        threads: number of threads; does not change the output.
        say: called with progress messages.

    Returns:
        Path of its index.html.

    Raises:
        UserError: the run is not finished, has no such system or setting, or the page's folder
            contains something else.
    """
    if most < 1:
        raise UserError(f"--queries: expected 1 or more, got {most}")
    run = find(folder, setting, systems, classes)
    _check_ours(Path(out))
    with making(out, KIND) as temporary:
        copy_static(temporary)
        data = temporary / "data"
        data.mkdir()
        _write_data(run, data, most, threads, say)
    return Path(out) / "index.html"


def copy_static(folder: Path) -> None:
    """Copy the files that are the same on every page."""
    for source in sorted(STATIC.iterdir()):
        (folder / source.name).write_bytes(source.read_bytes())


def write_empty(out: str | Path, reason: str) -> None:
    """Write a page that says why there is nothing to explore."""
    with making(out, KIND, reason) as folder:
        (folder / "index.html").write_text(
            f"<!doctype html><meta charset=utf-8><title>Explore</title><p>{escape(reason)}</p>\n",
            encoding="utf-8",
        )
        (folder / OURS).parent.mkdir()
        (folder / OURS).write_text("", encoding="utf-8")


def _check_ours(out: Path) -> None:
    """Reject a folder with other content, as it is replaced."""
    if out.exists() and not (out / OURS).is_file() and (out.is_file() or any(out.iterdir())):
        raise UserError(
            f"{out} is there, and is no page of this command: it would be replaced; name another "
            "folder (--out), or remove it"
        )


@dataclass(frozen=True)
class _Material:
    """The parts of a run that are read once."""

    run: Run
    models: Mapping[str, Model]
    every: Mapping[str, Ranks]
    ranks: Mapping[str, Ranks]
    spaces: Mapping[str, Space]
    shelves: Mapping[str, Shelf]


def _write_data(run: Run, data: Path, most: int, threads: int, say) -> None:
    material = _read(run, most)
    for language, of_language in material.shelves.items():
        say(f"documents of {language}")
        _write_language(data, language, of_language, material)
    options = _search_options(run.folder)
    for system in run.systems:
        say(f"what {system} found")
        scorer = Scorer(material.models[system], material.spaces, options, threads)
        _write_system(data, system, scorer, material)
    encoded.write(data, "about", _about(material))


def _read(run: Run, most: int) -> _Material:
    models = {system: run.model(system) for system in run.systems}
    every = {system: run.ranks(system) for system in run.systems}
    ranks = {system: shown(of_system, most) for system, of_system in every.items()}
    languages = sorted({x for of_system in every.values() for key in of_system for x in key[:2]})
    results = Results(run.folder)
    _check_together(run, languages)
    draw = Draw.load(results.draw_folder())
    spaces, shelves = {}, {}
    for language in languages:
        # all systems of a setting have the same words; some have entries for others after them
        words = sorted((model.words[language] for model in models.values()), key=len)
        documents = results.documents(language, words[-1])
        ids = draw.search_space(language, languages, "test")
        rows = pd.Index(documents.ids).get_indexer(ids)
        spaces[language] = Space(
            ids, documents.counts[rows], words[-1], partial(_texts_of, results, language, ids)
        )
        shelves[language] = shelf(documents, language, ranks.values(), every.values())
    return _Material(run, models, every, ranks, spaces, shelves)


def _texts_of(results: Results, language: str, ids: Sequence[str]) -> list[str]:
    concepts, _, texts = results.texts(language)
    found = dict(zip(concepts, texts, strict=True))
    return [found[x] for x in ids]


def _check_together(run: Run, languages: Sequence[str]) -> None:
    """Check that models, ranks, draw and bags are from one run."""
    results = Results(run.folder)
    models = (results.model_folder(run.setting, system) for system in run.systems)
    ranks = map(run.ranks_of, run.systems)
    bags = map(results.bags_folder, languages)
    together(map(Artefact, [results.draw_folder(), *bags, *models, *ranks]))


def _search_options(folder: Path) -> SearchOptions:
    """Return the run's search options from its config.yaml, or the defaults."""
    said = record.config_of(folder).get("evaluation") or {}
    names = ("csls_neighbours", "csls_neighbourhood")
    return SearchOptions(**{name: said[name] for name in names if name in said})


def _write_language(data: Path, language: str, of_language: Shelf, material: _Material) -> None:
    ids = list(of_language.ids)
    encoded.write(data, f"documents-{language}", {"ids": ids, "titles": of_language.titles})
    encoded.write(data, f"texts-{language}", snippets(material.run.folder, language, ids))


def _write_system(data: Path, system: str, scorer: Scorer, material: _Material) -> None:
    shelves = material.shelves
    for language in shelves:
        content = found(language, material.ranks[system], material.every[system], shelves, scorer)
        encoded.write(data, f"ranks-{system}-{language}", content)


def _about(material: _Material) -> dict[str, Any]:
    run = material.run
    first, every = material.ranks[run.systems[0]], material.every[run.systems[0]]
    left = {"shown": _n_queries(first), "all": _n_queries(every)}
    return {
        "corpus": run.about(run.systems[0]).get("corpus", {}).get("name", run.folder.name),
        "setting": run.setting,
        "origin": record.made_of(run.folder),
        "left": left if left["shown"] < left["all"] else None,
        "languages": list(material.shelves),
        "systems": [_system(x, material) for x in run.systems],
        "measures": {x: similarity_name(x) for each in material.ranks.values() for *_, x in each},
        "start": _start(first, material.shelves, run.about(run.systems[0]).get("seed", 0)),
    }


def _n_queries(ranks: Ranks) -> int:
    """Count the queries of all directions, each once, whatever the number of measures."""
    return sum(len(frame) for frame in {key[:2]: frame for key, frame in ranks.items()}.values())


def _system(system: str, material: _Material) -> dict[str, Any]:
    named = record.systems_of(material.run.folder)
    return {"id": system, "name": named.title(system), "measures": _measures(system, material)}


def _measures(system: str, material: _Material) -> list[str]:
    """Return the measures of a system, that which the page opens with first."""
    measures = list(dict.fromkeys(name for *_, name in material.ranks[system]))
    if _search_options(material.run.folder).csls_neighbourhood == "training":
        measures.sort(key=lambda name: name != "csls")  # as `cr5 search`
    return measures


def _start(ranks: Ranks, shelves: Mapping[str, Shelf], seed: int) -> dict[str, Any]:
    """Choose a query to open with, drawn from those in the most directions."""
    languages = list(dict.fromkeys(query for query, *_ in ranks))
    language = FIRST if FIRST in languages else languages[0]
    asked = pd.concat([f["query"] for key, f in ranks.items() if key[0] == language])
    counts = asked.value_counts()
    best = sorted(counts.index[counts == counts.max()])
    return {"from": language, "query": best[np.random.default_rng(seed).integers(len(best))]}
