"""Fit a system to texts in memory: the jobs of the workflow, one after the other.

The same functions do the same work as there, so the same texts, options and seed give the same
bytes, on processors for which the linear algebra libraries choose the same kernels.
"""

import json
import logging
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_limits

from cr5.base.errors import LeftOutError, UserError
from cr5.base.machine import kernels, versions
from cr5.base.parts import SYSTEMS, TASKS, System
from cr5.counts import bags
from cr5.counts.bags import Bags
from cr5.counts.rules import tokens_of
from cr5.counts.tokens import Tokens
from cr5.fitting import fit as fitting
from cr5.fitting import vectors
from cr5.fitting.choose import at_chance
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.options import VectorOptions
from cr5.fitting.seeds import SECTION, Seeds, seeds_of
from cr5.from_texts.forms import Documents, documents
from cr5.from_texts.settings import completed
from cr5.plan import config as configuration
from cr5.plan import files
from cr5.plan.made_with import MadeWith
from cr5.plan.matrix import searched_pairs
from cr5.retrieval.embedder import Embedder
from cr5.splits.draw import draw
from cr5.splits.drawn import Draw
from cr5.splits.options import Sizes
from cr5.splits.settings import training
from cr5.texts import dictionaries

log = logging.getLogger(__name__)

Vectors = Mapping[str, Path]

SETTING = "joint"
PLACE = "the model from cr5.fit"


def fit(
    texts: Any,
    system: str | Path | System = "best",
    concepts: Any = None,
    languages: Sequence[str] | None = None,
    progress: Callable[[str], None] | None = None,
    **options: Any,
) -> Embedder:
    """Fit a system to texts in two or more languages.

    Args:
        texts: by language, `{"en": [...], "fr": [...]}`; a frame of pandas with the columns
            language, text and concept, or with a column of texts for each language.
        system: its name, such as `best` or `cr5`, the path of a module of one's own, or the system
            itself, `Cr5(rank=100)`.
        concepts: what each text is about, where `texts` does not say: a list, or one for each
            language. Texts of one concept are about the same thing; by default those of one
            position.
        languages: those to take; of a frame, its columns of texts.
        progress: called with a line for each step, such as `print`.
        options: of the system; and sections of the configuration, each a mapping: `bags`,
            `weighting`, `splits`, `vectors`, `validation`, `dictionary`, `alignments`; `evaluation`
            (`{"csls_neighbourhood": "training"}` lets the model keep its training documents);
            `seed`; and `threads`, a number. Their defaults are the configuration's, with three
            exceptions. Texts of any length count (`bags.unique_words`). A word must be in three
            documents, or in fewer of small collections (`bags.min_documents`). No test queries are
            held out, and all but validation queries train (`splits.max_share`).

    Returns:
        The model, as `cr5.load` returns it; `report` says how the fit went, `save` stores it.

    Raises:
        UserError: options are wrong (every mistake is listed), texts are, or there are too few.
    """
    say = progress or (lambda line: log.info("%s", line))
    found = documents(texts, concepts, languages)
    config = completed(found, system, options)
    name = next(iter(config["systems"]))
    options = config["systems"][name]
    made = SYSTEMS.part(name, options)
    with threadpool_limits(1), tempfile.TemporaryDirectory() as scratch:
        given = _given_vectors(config, Path(scratch))
        counted = {x: _counted(found[x], x, config, say, given) for x in config["languages"]}
        drawn = _drawn(counted, config)
        trained = _trained(counted, drawn, config)
        say(f"{trained['concept'].nunique():,} concepts train")
        data = _training_set(found, counted, drawn, trained, config, given, Path(scratch))
        data = _telling(data, say)
        keeps = configuration.keeps_documents(config)
        fitted = fitting.fit(made, data, options.get("rerank", ()), keeps)
        by_chance = _at_chance(fitted, data)
    for warning in [*fitted.report.get("warnings", []), *by_chance]:
        log.warning("%s", warning)
    return Embedder(fitted.model, _about(config, name, counted, data.words, fitted.report), PLACE)


def _at_chance(fitted: Fit, data: TrainingSet) -> list[str]:
    """Validate a fit without choices, whose report says nothing of chance; return a warning."""
    if "validation" in fitted.report:
        return []
    try:
        return at_chance(data.validate(fitted.model), data.criterion)
    except LeftOutError:  # there are no validation queries
        return []


def _given_vectors(config: Mapping[str, Any], scratch: Path) -> dict[str, Path]:
    """Read the word vectors that are given, as in the workflow's job `given_vectors`."""
    if "path" not in config["vectors"]:
        return {}
    paths = {x: scratch / x for x in config["languages"]}
    for language, path in paths.items():
        source = files.vectors(config, language)
        words, rows = vectors.read(source, config["vectors"]["most_frequent"])
        vectors.save(path, words, rows, language=language)
    return paths


def _tokens(config: Mapping[str, Any]) -> Tokens:
    return tokens_of(bags.Rules(**config["bags"]), config["languages"])


def _counted(records, language: str, config: Mapping[str, Any], say, given: Vectors) -> Bags:
    rules, its_words = bags.Rules(**config["bags"]), None
    if rules.vocabulary == "vectors":
        its_words = bags.given_words(given[language], language)
    built, summary = bags.counted(records, rules, language, its_words, _tokens(config))
    say(
        f"{language}: {len(built.documents):,} of {len(records):,} documents, "
        f"{len(built.words):,} words"
    )
    log.debug("%s", summary)
    return built


def _drawn(counted: Mapping[str, Bags], config: Mapping[str, Any]) -> Draw:
    sizes, of = Sizes(**config["splits"]), ["concept", "n_unique"]
    frames = {x: each.documents[of] for x, each in sorted(counted.items())}
    pairs = searched_pairs(config)
    drawn = draw(frames, pairs, sizes, config["seed"])
    if reason := drawn.lacking(pairs, sizes):
        raise UserError(reason)
    return drawn


def _trained(counted: Mapping[str, Bags], drawn: Draw, config: Mapping[str, Any]) -> pd.DataFrame:
    names = {x: pd.Index(each.documents["concept"]) for x, each in counted.items()}
    sizes, pairs = Sizes(**config["splits"]), searched_pairs(config)
    return training(names, drawn, sizes, pairs, seed=config["seed"])


def _training_set(
    found: Documents,
    counted: Mapping[str, Bags],
    drawn: Draw,
    trained: pd.DataFrame,
    config: Mapping[str, Any],
    given: Vectors,
    scratch: Path,
) -> TrainingSet:
    """What the system may see, as in the workflow's job `fit`."""
    [name], languages = config["systems"], sorted(counted)
    made_with = MadeWith(config).fit(SETTING, name, "1")
    needs, system = made_with["needs"], configuration.part(config, "systems", name)
    words, alignments = {x: counted[x].words["word"].tolist() for x in languages}, {}
    if "alignments" in needs:
        paths = files.alignments(config, languages)
        alignments = dict(zip(permutations(languages, 2), paths, strict=True))
    vectors_of = given
    if "vectors" in needs and not given:
        vectors_of = _trained_vectors(found, drawn, config, scratch)
    return TrainingSet.of(
        made_with,
        ((x, _with_texts(counted[x], found[x], "texts" in needs)) for x in languages),
        drawn,
        trained,
        config["threads"]["fit"],
        vectors=vectors_of if "vectors" in needs else {},
        alignments=alignments,
        files={x: system.files(x) for x in languages if system.files(x)},
        seeds=_seeds(words, config) if "seeds" in needs else Seeds(),
    )


def _with_texts(counted: Bags, records, needed: bool) -> Bags:
    """Let a system that needs them have the texts."""
    if not needed:
        return counted
    texts = {concept: text for concept, _, text in records}
    return replace(counted, texts=lambda concepts: [texts[concept] for concept in concepts])


def _seeds(words: Mapping[str, list[str]], config: Mapping[str, Any]) -> Seeds:
    """Read the dictionaries, if there are any, as in the workflow's job `task_tables`."""
    if SECTION not in config:
        return Seeds()
    place = files.pair_files(config, SECTION)
    if place.is_elsewhere:
        raise UserError(f"{SECTION}.dictionaries: {place.where} is fetched by the workflow (./run)")
    there = dictionaries.find(place.where, place.pairs)
    task = TASKS.part(SECTION, files.pair_readers(config)[SECTION])
    found = task.tables(there, words, _tokens(config))
    return seeds_of(found["entries"], [])


def _trained_vectors(
    found: Documents, drawn: Draw, config: Mapping[str, Any], scratch: Path
) -> dict[str, Path]:
    """Train the word vectors of each language, as in the workflow's job `vectors`."""
    options, held_out = VectorOptions(**config["vectors"]), frozenset(drawn.held_out())
    paths = {x: scratch / x for x in sorted(found)}
    for language, path in paths.items():
        texts = ((concept, text) for concept, _, text in found[language])
        of_language = vectors.sentences(texts, language, held_out, _tokens(config))
        with vectors.on_disk(of_language, beside=path) as stored:
            words, rows = vectors.train(stored, options, config["seed"])
        vectors.save(path, words, rows, language)
    return paths


def _telling(data: TrainingSet, say: Callable[[str], None]) -> TrainingSet:
    """The same training set, whose validation reports each score."""
    numbers = iter(range(1, 1_000_000))

    def validate(model):
        score = data.validate(model)
        say(f"fit {next(numbers)}: {data.criterion.title} {score:.4f} on validation queries")
        return score

    return replace(data, validate=validate)


def _about(
    config: Mapping[str, Any],
    name: str,
    counted: Mapping[str, Bags],
    words: Mapping[str, Sequence[str]],
    report: Mapping[str, Any],
) -> dict[str, Any]:
    """What made the model, as in fit.json of a run."""
    languages = sorted(counted)
    about = {
        "system": name,
        "setting": SETTING,
        "repetition": "1",
        "corpus": {"name": config["corpus"]["name"]},
        "languages": languages,
        "options": config["systems"][name],
        "seed": config["seed"],
        "bags": config["bags"],
        "tokens": _tokens(config).as_json(),
        "splits": config["splits"],
        "versions": versions(),
        "processor": {"choice": "own", "kernels": kernels()},
        "documents": {x: len(counted[x].documents) for x in languages},
        "words": {x: len(words[x]) for x in languages},
        "fit": dict(report),
    }
    return json.loads(json.dumps(about))  # as it is when it is loaded
