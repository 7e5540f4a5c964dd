"""The input and the output of a system's `fit`, see `base.parts.System`."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.characters import plain_word
from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.base.text_files import read_lines
from cr5.counts.bags import Bags, of_training
from cr5.counts.rules import Rules
from cr5.counts.weighting import IDF, tfidf
from cr5.fitting import vectors as word_vectors
from cr5.fitting.choose import CRITERIA, DOCUMENTS, MRR, Criterion, Task, validation
from cr5.fitting.options import ValidationOptions
from cr5.fitting.seeds import Seeds
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables
from cr5.splits.draw import Draw
from cr5.splits.options import Pair
from cr5.splits.training_documents import concepts
from cr5.tasks import ad_hoc, texts
from cr5.tasks.base import relevance_of

log = logging.getLogger(__name__)

Files = Mapping[str, str | Path]
NOTHING: Mapping[Any, Any] = {}
NO_SEEDS = Seeds()


@dataclass(frozen=True, eq=False)
class Channel:
    """Counts of text of one language alone, texts x words of the training documents.

    Networks learn from it what is similar within a language (Gupta, Banchs and Rosso 2017).
    """

    documents: sparse.csr_matrix
    queries: sparse.csr_matrix | None = None
    relevance: sparse.csr_matrix | None = None  # queries x documents, such as titles and articles


@dataclass(frozen=True)
class TrainingSet:
    """The training documents of one setting, without anything from test concepts.

    Attributes:
        languages: in alphabetical order.
        words: per language the vocabulary, most frequent first.
        features: per language documents x words, tf-idf with L2-normalised rows, float64.
        concepts: per language the concept number (0..n_concepts - 1) of each row.
        n_concepts: number of distinct concepts over all languages.
        weights: per language the idf of each word, float64.
        term_frequency: how counts enter `features`: `raw`, `log`, `sqrt` or `binary`.
        frequencies: per language the collection frequency of each word.
        validate: scores a model by the validation queries, see `fitting.choose.validation`. A
            system may choose its hyperparameters by this alone.
        seed: of the repetition; make generators from it with `numpy.random.default_rng`.
        threads: that the fit may use; their number must not change a byte of the result.
        counts: per language documents x words, rows as in `features`; empty, as all that follows,
            unless the system needs them.
        vectors: per language words x d float32, zero where a word has no vector.
        coverage: per language how many words have one.
        seeds: word pairs to start from, and the words that tests ask for.
        texts: per language a function that reads the text of each row of `features`.
        alignments: per language, per other language: words x words of the other language, the
            probability of each translation.
        channels: per language that has any, text of it alone.
        files: per language, per key of the system: its file.
        criterion: what `validate` computes.
        extend: maximum number of values added to a grid beyond those given.
    """

    languages: tuple[str, ...]
    words: Mapping[str, list[str]]
    features: Mapping[str, sparse.csr_matrix]
    concepts: Mapping[str, np.ndarray]
    n_concepts: int
    weights: Mapping[str, np.ndarray]
    term_frequency: str
    frequencies: Mapping[str, np.ndarray]
    validate: Callable[[Model], float]
    seed: int
    threads: int = 1
    counts: Mapping[str, sparse.csr_matrix] = field(default_factory=dict)
    vectors: Mapping[str, np.ndarray] = field(default_factory=dict)
    coverage: Mapping[str, word_vectors.Coverage] = field(default_factory=dict)
    seeds: Seeds = NO_SEEDS
    texts: Mapping[str, Callable[[], list[str]]] = field(default_factory=dict)
    alignments: Mapping[str, Mapping[str, sparse.csr_matrix]] = field(default_factory=dict)
    channels: Mapping[str, Channel] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    criterion: Criterion = MRR
    extend: int = 0

    @classmethod
    def of(
        cls,
        made_with: Mapping[str, Any],
        bags: Iterable[tuple[str, Bags]],
        drawn: Draw,
        trained: pd.DataFrame,
        threads: int = 1,
        *,
        vectors: Files = NOTHING,
        alignments: Mapping[Pair, str | Path] = NOTHING,
        channels: Files = NOTHING,
        judgements: str | Path | None = None,
        files: Mapping[str, Mapping[str, str]] = NOTHING,
        seeds: Seeds = NO_SEEDS,
        task: Task = DOCUMENTS,
    ) -> "TrainingSet":
        """Gather what a system may see, and what it needs of it.

        `made_with` is what the plan says of the job `fit`; bags are read one language after the
        other. `vectors`, `channels` and `files` are by language, `alignments` by source and target;
        `judgements` are those of the channels' queries.
        """
        choice = ValidationOptions(**made_with.get("validation", {}))
        rules = Rules(**made_with.get("bags", {"vocabulary": "text"}))
        kept, asked, own = {}, {}, {}
        for x, every in bags:
            names = concepts(trained, x)
            kept[x] = of_training(every, names, rules, x).of(names)
            # with all their words, of which a model may know more than those that train
            asked[x] = every
            if task is DOCUMENTS:
                there = every.documents["concept"]
                queries = drawn.held_out("validation").union(drawn.candidates_of(x))
                asked[x] = every.of(pd.Index(there[there.isin(queries)]))
            if x in channels:
                columns = every.columns(kept[x].words["word"])
                own[x] = _channel(channels[x], x, columns, judgements)
        languages = tuple(sorted(kept))
        rows = {x: kept[x].documents["concept"] for x in languages}
        numbers = pd.Index(sorted(set().union(*rows.values())))
        counts = {x: kept[x].counts for x in languages}
        words = {x: kept[x].words["word"].tolist() for x in languages}
        weights = {x: IDF[made_with.get("idf", "corpus")](counts[x]) for x in languages}
        frequency, criterion = made_with["term_frequency"], CRITERIA[choice.criterion]
        with_counts = "counts" in made_with.get("needs", ()) or made_with.get("csls_neighbours")
        pairs = made_with.get("pairs")
        aligned, coverage = {}, {}
        for x, path in vectors.items():
            found = word_vectors.load(path, language=x)
            aligned[x] = word_vectors.align(*found, words[x])
            coverage[x] = word_vectors.coverage(x, *found, words[x])
        return cls(
            languages=languages,
            words=words,
            features={x: tfidf(counts[x], weights[x], frequency) for x in languages},
            concepts={x: numbers.get_indexer(rows[x]) for x in languages},
            n_concepts=len(numbers),
            weights=weights,
            term_frequency=frequency,
            frequencies={x: kept[x].words["collection_frequency"].to_numpy() for x in languages},
            validate=validation(asked, drawn, languages, threads, criterion, pairs, task),
            seed=made_with["seed"],
            threads=threads,
            counts=counts if with_counts else {},
            texts={x: partial(kept[x].texts, rows[x]) for x in languages if kept[x].texts},
            vectors=aligned,
            coverage=coverage,
            seeds=seeds,
            alignments=read_alignments(alignments, words),
            channels=own,
            files=files,
            criterion=criterion,
            extend=choice.extend,
        )

    def model(self, tables: Mapping[str, Rows]) -> WordTables:
        """Make the model that nearly every system uses: word tables with tf-idf as in `features`.

        `tables` has per language words x r.
        """
        with np.errstate(over="ignore"):  # `Model.check` checks that they are finite
            as_float32 = {x: y.astype(np.float32, copy=False) for x, y in tables.items()}
        return WordTables(self.words, as_float32, self.weights, term_frequency=self.term_frequency)


@dataclass(frozen=True)
class Fit:
    """A fitted system."""

    model: Model
    # facts about the fit, JSON-able: convergence, warnings; no times, which differ
    report: dict[str, Any] = field(default_factory=dict)
    chosen: dict[str, Any] = field(default_factory=dict)  # validated hyperparameters, by name


def read_alignments(
    files: Mapping[Pair, str | Path], words: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, sparse.csr_matrix]]:
    """Read word translation tables: per source, per target language words x words, float64."""
    numbers = {x: {word: i for i, word in enumerate(known)} for x, known in words.items()}
    tables: dict[str, dict[str, sparse.csr_matrix]] = {}
    for (source, target), path in files.items():
        n, found = 0, []
        for word, translation, probability in alignment_entries(path):
            n += 1
            if word in numbers[source] and translation in numbers[target]:
                found.append((probability, numbers[source][word], numbers[target][translation]))
        log.info("%s: %d of %d entries are of the vocabularies", path, len(found), n)
        if not found:
            raise UserError(
                f"{path}: none of its {n} entries has both words in the vocabularies; are the "
                "words of other languages, not lower-cased, or is it for the other direction?"
            )
        shape = len(words[source]), len(words[target])
        values, *place = zip(*found, strict=True)
        tables.setdefault(source, {})[target] = sparse.csr_matrix((values, place), shape)
    return tables


def alignment_entries(path: str | Path) -> Iterator[tuple[str, str, float]]:
    """Read a table, UTF-8, plain or compressed: a source and a target word, p(target | source).

    Words are written as texts have them, but for their case.
    """
    for where, line in read_lines(path):
        fields = line.split("\t")
        try:
            source, target, text = fields
            probability = float(text)
            if not 0 < probability <= 1:
                raise ValueError
        except ValueError as error:
            raise UserError(
                f"{where}: expected source word, target word and a probability above 0 and up to "
                f"1, with tabs between; found {fields!r}"
            ) from error
        yield plain_word(source), plain_word(target), probability


def _channel(
    folder: str | Path, language: str, columns: sparse.csr_matrix, judgements: str | Path | None
) -> Channel:
    found = {x: each.known(columns) for x, each in texts.load(folder, language=language).items()}
    documents, queries = found["documents"], found.get("queries")
    if queries is None:
        return Channel(documents.counts)
    relevant = ad_hoc.read_relevant(judgements)
    given = relevant["query"], relevant["candidate"], relevant["grade"]
    relevance = relevance_of(queries.ids, documents.ids, *given)
    log.info(
        "%s: %d of %d relevant documents are of queries and documents in %r",
        judgements,
        relevance.nnz,
        len(relevant),
        language,
    )
    if not relevance.nnz:
        raise UserError(
            f"{judgements}: no query in {language!r} has a relevant document in {language!r}; are "
            "the ids the same as in the channel's files of queries and documents?"
        )
    return Channel(documents.counts, queries.counts, relevance)
