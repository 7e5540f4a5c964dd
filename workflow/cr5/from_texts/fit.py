"""Fit a system to texts in memory: the jobs of the workflow, one after the other.

The same functions do the same work as there, so the same texts, options and seed give the same
bytes, on processors for which the linear algebra libraries choose the same kernels.
"""

import json
import logging
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from cr5.base.errors import LeftOutError, UserError
from cr5.base.machine import kernels, versions
from cr5.base.parts import System
from cr5.counts import bags
from cr5.counts.bags import Bags
from cr5.counts.rules import tokens_of
from cr5.counts.tokens import Tokens
from cr5.fitting import fit as fitting
from cr5.fitting import vectors
from cr5.fitting.choose import at_chance
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.seeds import DICTIONARY, Seeds, seeds_of
from cr5.from_texts.forms import Documents, documents
from cr5.from_texts.settings import completed
from cr5.models.contract import Model
from cr5.plan import files
from cr5.plan.config import Configuration
from cr5.plan.made_with import MadeWith
from cr5.plan.words import GivenVectors
from cr5.retrieval.embedder import Embedder
from cr5.splits.draw import Draw, draw
from cr5.splits.training_documents import training
from cr5.texts import dictionaries

log = logging.getLogger(__name__)

SETTING = "joint"
PLACE = "the model from cr5.fit"


def fit(
    texts: Any,
    system: str | Path | System = "best",
    concepts: Any = None,
    progress: Callable[[str], None] | None = None,
    **options: Any,
) -> Embedder:
    """Fit a system to texts in two or more languages.

    Args:
        texts: by language, `{"en": [...], "fr": [...]}`, or of a language by concept,
            `{"en": {"Q1": "..."}}`; or a frame of pandas with the columns language, text and
            concept.
        system: its name, such as `best` or `cr5`, the path of a module of one's own, or the system
            itself, `Cr5(rank=100)`.
        concepts: what each text is about, where `texts` does not say: a list, or one for each
            language. Texts of one concept are about the same thing; by default those of one
            position.
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
    given = documents(texts, concepts)
    config = completed(given, system, options)
    with threadpool_limits(1), tempfile.TemporaryDirectory() as scratch:
        run = _Run(given, config, Path(scratch), say)
        return Embedder(*run.fitted(), PLACE)


@dataclass(frozen=True)
class _Run:
    """The jobs of a run with one setting and one system, each as in the workflow."""

    texts: Documents
    config: Configuration
    scratch: Path
    say: Callable[[str], None]

    def fitted(self) -> tuple[Model, dict[str, Any]]:
        """Fit the system, and return its model and what made it, as in fit.json of a run."""
        [(name, system)] = self.config.systems.items()
        data, counted = self._telling(self.training_set(name)), self.counted
        keeps = self.config.evaluation.csls_neighbourhood == "training"
        found = fitting.fit(system.part, data, system.own.rerank or (), keeps)
        for warning in [*found.report.get("warnings", []), *_at_chance(found, data)]:
            log.warning("%s", warning)
        config = self.config.plain()
        about = {
            "system": name,
            "setting": SETTING,
            "repetition": "1",
            "corpus": {"name": config["corpus"]["name"]},
            "languages": sorted(counted),
            "options": config["systems"][name],
            "seed": config["seed"],
            "bags": config["bags"],
            "tokens": self.tokens.as_json(),
            "splits": config["splits"],
            "versions": versions(),
            "processor": {"choice": "own", "kernels": kernels()},
            "documents": {x: len(counted[x].documents) for x in sorted(counted)},
            "words": {x: len(data.words[x]) for x in sorted(counted)},
            "fit": dict(found.report),
        }
        return found.model, json.loads(json.dumps(about))  # as it is when it is loaded

    @cached_property
    def tokens(self) -> Tokens:
        return tokens_of(self.config.bags, self.config.languages)

    @cached_property
    def given(self) -> dict[str, Path]:
        """The word vectors of each language, if they are given."""
        given = self.config.vectors
        if not isinstance(given, GivenVectors):
            return {}
        of = ((x, given.file(x)) for x in self.config.languages)
        return {x: self._stored(x, *vectors.read(y, given.most_frequent)) for x, y in of}

    @cached_property
    def counted(self) -> dict[str, Bags]:
        rules, given, found = self.config.bags, self.given, {}
        for x in self.config.languages:
            words = bags.given_words(given[x], x) if rules.vocabulary == "vectors" else None
            found[x], _ = bags.counted(self.texts[x], rules, x, words, self.tokens)
            n, of, n_words = len(found[x].documents), len(self.texts[x]), len(found[x].words)
            self.say(f"{x}: {n:,} of {of:,} documents, {n_words:,} words")
        return found

    @cached_property
    def drawn(self) -> Draw:
        sizes, of = self.config.splits, ["concept", "n_unique"]
        frames = {x: each.documents[of] for x, each in self.counted.items()}
        pairs = self.config.pairs
        found = draw(frames, pairs, sizes, self.config.seed)
        if reason := found.lacking(pairs, sizes):
            raise UserError(reason)
        return found

    def training_set(self, name: str) -> TrainingSet:
        """Gather what the system of that name may see."""
        config, languages = self.config, sorted(self.counted)
        names = {x: pd.Index(self.counted[x].documents["concept"]) for x in languages}
        sizes, pairs = config.splits, config.pairs
        trained = training(names, self.drawn, sizes, pairs, seed=config.seed)
        self.say(f"{trained['concept'].nunique():,} concepts train")
        made_with = MadeWith(config).fit(SETTING, name, "1")
        needs, system = made_with["needs"], config.systems[name].part
        of_words, alignments = {}, {}
        if "vectors" in needs:
            of_words = self.given or {x: self._trained_vectors(x) for x in languages}
        if "alignments" in needs:
            paths = config.alignments.files(languages)
            alignments = dict(zip(permutations(languages, 2), paths, strict=True))
        return TrainingSet.of(
            made_with,
            ((x, self._bags(x, "texts" in needs)) for x in languages),
            self.drawn,
            trained,
            config.threads.fit,
            vectors=of_words,
            alignments=alignments,
            files={x: system.files(x) for x in languages if system.files(x)},
            seeds=self._seeds() if "seeds" in needs else Seeds(),
        )

    def _bags(self, language: str, with_texts: bool) -> Bags:
        if not with_texts:
            return self.counted[language]
        texts = {concept: text for concept, _, text in self.texts[language]}
        return replace(self.counted[language], texts=lambda names: [texts[x] for x in names])

    def _seeds(self) -> Seeds:
        """Read the dictionaries, if there are any."""
        if not self.config.dictionary:
            return Seeds()
        place = files.pair_files(self.config, DICTIONARY)
        there = dictionaries.find(place.where, place.pairs)
        task = self.config.readers[DICTIONARY].part
        words = {x: each.words["word"].tolist() for x, each in self.counted.items()}
        return seeds_of(task.tables(there, words, self.tokens)["entries"], [])

    def _trained_vectors(self, language: str) -> Path:
        texts = ((concept, text) for concept, _, text in self.texts[language])
        held_out, beside = frozenset(self.drawn.held_out()), self.scratch / language
        with vectors.sentences(texts, held_out, language, self.tokens, beside) as found:
            words, rows = vectors.train(found, self.config.vectors, self.config.seed)
        return self._stored(language, words, rows)

    def _stored(self, language: str, words: Sequence[str], rows: np.ndarray) -> Path:
        path = self.scratch / language
        vectors.save(path, words, rows, language)
        return path

    def _telling(self, data: TrainingSet) -> TrainingSet:
        """The same training set, whose validation tells each score."""
        numbers = count(1)

        def validate(model: Model) -> float:
            score = data.validate(model)
            said = f"{data.criterion.title} {score:.4f} on validation queries"
            self.say(f"fit {next(numbers)}: {said}")
            return score

        return replace(data, validate=validate)


def _at_chance(fitted: Fit, data: TrainingSet) -> list[str]:
    """Validate a fit without choices, whose report says nothing of chance; return a warning."""
    if "validation" in fitted.report:
        return []
    try:
        return at_chance(data.validate(fitted.model), data.criterion)
    except LeftOutError:  # there are no validation queries
        return []
