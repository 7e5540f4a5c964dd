"""The input and the output of a system's `fit`.

A system is a class, see `base.parts.System`; its `fit` is called with one BLAS thread.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.base.text_files import read_lines, without_nul
from cr5.counts.bags import Bags, of_training
from cr5.counts.rules import Rules
from cr5.counts.weighting import IDF, tfidf
from cr5.fitting import vectors as word_vectors
from cr5.fitting.choose import CRITERIA, DOCUMENTS, MRR, Criterion, Task, validation
from cr5.fitting.options import ValidationOptions
from cr5.fitting.seeds import Seeds
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables
from cr5.splits.drawn import Draw
from cr5.splits.options import Pair
from cr5.splits.settings import concepts
from cr5.tasks import ad_hoc, texts

log = logging.getLogger(__name__)

Files = Mapping[str, str | Path]


@dataclass(frozen=True, eq=False)
class Channel:
    """Text of one language alone, in the words of the training documents.

    It may say which texts are relevant for which queries: titles and articles, or queries and what
    was clicked on. Networks learn from it what is similar within a language (Gupta, Banchs and
    Rosso 2017).

    Attributes:
        documents: counts, documents x words.
        queries: counts, queries x words; None if there are none.
        relevance: queries x documents, the grade where a document is relevant; None if there are no
            queries.
    """

    documents: sparse.csr_matrix
    queries: sparse.csr_matrix | None = None
    relevance: sparse.csr_matrix | None = None


@dataclass(frozen=True)
class TrainingSet:
    """The training documents of one setting, without anything from test concepts.

    Attributes:
        languages: in alphabetical order, whatever their order in the configuration.
        words: per language the vocabulary, in the column order of `features`: most frequent
            first.
        features: per language documents x words, tf-idf with L2-normalised rows, float64.
        concepts: per language the concept number (0..n_concepts - 1) of each row.
        n_concepts: number of distinct concepts over all languages.
        weights: per language the idf of each word, float64.
        term_frequency: how counts enter `features`: `raw`, `log`, `sqrt` or `binary`.
        frequencies: per language the collection frequency of each word.
        validate: maps a model to the criterion of the validation queries, by the model's first
            measure, averaged over all directed pairs that the setting searches. A system may
            choose its hyperparameters by this alone. See `fitting.choose`; a `Score` also has the
            pairs.
        seed: of the repetition; make generators from it with `numpy.random.default_rng`.
        threads: that the fit may use; their number must not change a byte of the result.
        counts: per language documents x words, rows as in `features`; None unless the system needs
            them, because they are as large.
        vectors: per language words x d float32, rows as in `words`, zero where a word has
            no vector; None unless the system needs them.
        seeds: word pairs to start from, and the words that tests ask for; None unless the system
            needs them.
        texts: per language a function that reads the text of each row of `features`; None unless
            the system needs them.
        alignments: per language, per other language: words x words of the other language, the
            probability of each translation; None unless the system needs them.
        channels: per language that has any, text of it alone; empty unless the system needs it.
        files: per language, per key of the system: its file; None unless the system has any.
        criterion: what `validate` computes.
        extend: maximum number of values added to a grid beyond those given, see `fitting.choose`.
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
    counts: Mapping[str, sparse.csr_matrix] | None = None
    vectors: Mapping[str, np.ndarray] | None = None
    seeds: Seeds | None = None
    texts: Mapping[str, Callable[[], list[str]]] | None = None
    alignments: Mapping[str, Mapping[str, sparse.csr_matrix]] | None = None
    channels: Mapping[str, Channel] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, str]] | None = None
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
        vectors: Files | None = None,
        alignments: Mapping[Pair, str | Path] | None = None,
        channels: Files | None = None,
        judgements: str | Path | None = None,
        files: Mapping[str, Mapping[str, str]] | None = None,
        seeds: Seeds | None = None,
        task: Task = DOCUMENTS,
    ) -> "TrainingSet":
        """Gather what a system may see, and what it needs of it.

        Args:
            made_with: what the model is made with, as the plan says: `term_frequency` and `seed`;
                `bags`, the rules by which training documents choose the words, without it all
                words of the bags; `idf`, `corpus` or, of counts that are weights already, `none`;
                `needs`, with `counts` or not; `keeps_documents`; `validation`, how hyperparameters
                are chosen; `pairs` of languages that are searched, and so validated, None for all.
            bags: each language of the setting and its bags, with their texts if the system needs
                them; one language is read after the other.
            drawn: queries and candidates, for validation.
            trained: the setting's training documents, see `splits.settings.training`.
            threads: that the fit and its validation may use; their number changes no result.
            vectors: by language, files written by `fitting.vectors.save`; as all that follows, None
                if the system needs none.
            alignments: by source and target language, files of word translation tables.
            channels: by language that has one, folders written by `tasks.texts.save`.
            judgements: of the queries of channels, a file.
            files: the system's own files, by language, then by option.
            seeds: word pairs to start from.
            task: whose searches choose hyperparameters.

        Raises:
            UserError: a file is missing, damaged or of another language.
            LeftOutError: no word is in enough training documents.
        """
        choice = ValidationOptions(**made_with.get("validation", {}))
        rules = Rules(**made_with.get("bags", {"vocabulary": "text"}))
        rows, counts, chosen, asked, read = {}, {}, {}, {}, {}
        for x, every in bags:
            rows[x] = concepts(trained, x)
            kept = of_training(every, rows[x], rules, x)
            counts[x], chosen[x] = kept.counts[kept.rows(rows[x])], kept.words
            # with all their words, of which a model may know more than those that train
            asked[x] = every
            if task is DOCUMENTS:
                there = every.documents["concept"]
                queries = drawn.held_out("validation").union(drawn.candidates_of(x))
                asked[x] = every.of(pd.Index(there[there.isin(queries)]))
            if every.texts:
                read[x] = partial(every.texts, rows[x])
            if x in (channels or {}):
                columns = every.columns(kept.words["word"])
                channels = {**channels, x: _channel(channels[x], x, columns, judgements)}
        languages = tuple(sorted(rows))
        numbers = pd.Index(sorted(set().union(*rows.values())))
        words = {x: chosen[x]["word"].tolist() for x in languages}
        weights = {x: IDF[made_with.get("idf", "corpus")](counts[x]) for x in languages}
        frequency, criterion = made_with["term_frequency"], CRITERIA[choice.criterion]
        with_counts = "counts" in made_with.get("needs", ()) or made_with.get("keeps_documents")
        pairs = made_with.get("pairs")
        return cls(
            languages=languages,
            words=words,
            features={x: tfidf(counts[x], weights[x], frequency) for x in languages},
            concepts={x: numbers.get_indexer(rows[x]) for x in languages},
            n_concepts=len(numbers),
            weights=weights,
            term_frequency=frequency,
            frequencies={x: chosen[x]["collection_frequency"].to_numpy() for x in languages},
            validate=validation(asked, drawn, languages, threads, criterion, pairs, task),
            seed=made_with["seed"],
            threads=threads,
            counts={x: counts[x] for x in languages} if with_counts else None,
            texts={x: read[x] for x in languages if x in read} or None,
            vectors={
                x: word_vectors.align(*word_vectors.load(path, language=x), words[x])
                for x, path in (vectors or {}).items()
            }
            or None,
            seeds=seeds,
            alignments=read_alignments(alignments, words) if alignments else None,
            channels=channels or {},
            files=files,
            criterion=criterion,
            extend=choice.extend,
        )

    def model(self, tables: Mapping[str, Rows]) -> WordTables:
        """Make the model that nearly every system uses: word tables with tf-idf as in `features`.

        Args:
            tables: per language words x r.
        """
        as_float32 = {x: _float32(table) for x, table in tables.items()}
        return WordTables(self.words, as_float32, self.weights, term_frequency=self.term_frequency)


@dataclass(frozen=True)
class Fit:
    """A fitted system.

    Attributes:
        model: embeds documents.
        report: facts about the fit, JSON-able: convergence, warnings. No times, which are not
            reproducible.
        chosen: the values of the validated hyperparameters, by name; `fitting.choose` adds
            them to the report.
    """

    model: Model
    report: dict[str, Any] = field(default_factory=dict)
    chosen: dict[str, Any] = field(default_factory=dict)


def _float32(table: Any) -> Any:
    """Convert to float32; `Model.check` checks that it is a table and finite."""
    with np.errstate(over="ignore"):
        return table.astype(np.float32, copy=False) if hasattr(table, "astype") else table


def read_alignments(
    files: Mapping[Pair, str | Path], words: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, sparse.csr_matrix]]:
    """Read word translation tables by source and target language; see `alignment_entries`.

    Returns:
        Per source, per target language: source words x target words of the vocabularies, float64.
        Entries with other words are dropped and counted in the log.
    """
    numbers = {x: {word: i for i, word in enumerate(known)} for x, known in words.items()}
    tables: dict[str, dict[str, sparse.csr_matrix]] = {}
    for (source, target), path in files.items():
        rows, columns, values, n = [], [], [], 0
        for word, translation, probability in alignment_entries(path):
            n += 1
            if word in numbers[source] and translation in numbers[target]:
                rows.append(numbers[source][word])
                columns.append(numbers[target][translation])
                values.append(probability)
        log.info("%s: %d of %d entries are of the vocabularies", path, len(values), n)
        if not values:
            raise UserError(
                f"{path}: none of its {n} entries has both words in the vocabularies; are the "
                "words of other languages, not lower-cased, or is it for the other direction?"
            )
        shape = len(words[source]), len(words[target])
        table = sparse.csr_matrix((np.array(values), (rows, columns)), shape)
        tables.setdefault(source, {})[target] = table
    return tables


def alignment_entries(path: str | Path) -> Iterator[tuple[str, str, float]]:
    """Read a table, UTF-8, plain or compressed: a source and a target word, p(target | source).

    Raises:
        UserError: with file and line.
    """
    for where, line in read_lines(path):
        fields = without_nul(line, where).split("\t")
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
        yield source, target, probability


def _channel(
    folder: str | Path, language: str, columns: sparse.csr_matrix, judgements: str | Path | None
) -> Channel:
    found = texts.load(folder, columns, language=language)
    documents, queries = found["documents"], found.get("queries")
    if queries is None:
        return Channel(documents.counts)
    grades = ad_hoc.judgements(judgements)
    relevant = ad_hoc.by_pair(grades[grades["grade"] > 0], queries.ids, documents.ids)
    return Channel(documents.counts, queries.counts, relevant)
