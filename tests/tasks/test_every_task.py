"""What every task keeps: it asks what is worked out here from the corpus.

And its answers rank as brute force ranks them, whatever the order of languages.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cr5.contracts.catalogue import TASKS
from cr5.models.word_tables import WordTables
from cr5.scores import metrics
from cr5.scores.ranking import rank_all
from cr5.scores.ranks import Ranked
from cr5.tasks import texts
from cr5.texts import aligned
from tests.kit import inside
from tests.kit.corpus import CORPUS, LANGUAGES, N_WORDS, give

EXAMPLES = {path.stem: path for path in Path(__file__).parent.glob("example_*.py")}
PAIRS = list(itertools.permutations(LANGUAGES, 2))
WEIGHTS = {
    language: np.random.default_rng(number).uniform(0.5, 2, N_WORDS)
    for number, language in enumerate(LANGUAGES)
}


@dataclass(frozen=True)
class Wanted:
    """What a search should be: texts by their names, and the grade of a query and a candidate."""

    queries: dict[str, str]
    candidates: dict[str, str]
    grade: Callable[[str, str], float]

    @cached_property
    def relevant(self):
        """The grade of each answer, by query and candidate."""
        pairs = itertools.product(self.queries, self.candidates)
        grades = {pair: self.grade(*pair) for pair in pairs}
        return {pair: grade for pair, grade in grades.items() if grade}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return give(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def start(folder):
    return inside.given(folder, LANGUAGES)


def select(texts, names):
    return {name: text for name, text in texts.items() if name in names}


def drawn_queries(start, source, target):
    """Concepts that are test queries of a pair."""
    first, second = sorted([source, target])
    table = start.data.drawn.queries
    tests = table[table["role"] == "test"]
    of_pair = (tests["first"] == first) & (tests["second"] == second)
    return set(tests.loc[of_pair, "concept"])


def is_same(query, candidate):
    return query == candidate


def documents(start, source, target, grade=is_same):
    table = start.data.drawn.candidates
    searched = set(table.loc[table["language"] == target, "concept"])
    queries = drawn_queries(start, source, target)
    return Wanted(
        select(CORPUS.documents[source], queries),
        select(CORPUS.documents[target], searched),
        grade,
    )


def example_task(start, source, target):
    """No concept is in a folder, so all are in the same."""

    def grade(query, candidate):
        return 2 if query == candidate else 1

    return documents(start, source, target, grade)


def sentences(start, source, target):
    return Wanted(numbered_sentences(source), numbered_sentences(target), is_same)


def numbered_sentences(language):
    lines = CORPUS.sentences[language]
    return {f"s{number}": line for number, line in enumerate(lines)}


def ad_hoc(start, source, target):
    """Questions that some document of the other language answers."""
    judged = {(str(question), concept) for question, concept in CORPUS.judgements}
    candidates = CORPUS.documents[target]
    answered = {question for question, concept in judged if concept in candidates}
    questions = {str(number): text for number, text in enumerate(CORPUS.questions[source])}
    answered_questions = select(questions, answered)

    def is_judged(query, candidate):
        return (query, candidate) in judged

    return Wanted(answered_questions, candidates, is_judged)


def classification(start, source, target):
    """Documents that are no query of any pair are labelled."""
    queries = set()
    for pair in PAIRS:
        if source in pair:
            queries |= drawn_queries(start, pair[0], pair[1])
    labelled = set(CORPUS.documents[target])
    labelled -= set(start.data.drawn.queries["concept"])

    def have_one_label(query, candidate):
        return CORPUS.labels(query) == CORPUS.labels(candidate)

    return Wanted(
        select(CORPUS.documents[source], queries),
        select(CORPUS.documents[target], labelled),
        have_one_label,
    )


def numbers_of_words(language):
    """The number of each word that is in some document; that of its translations is the same."""
    used = used_words(language)
    words = enumerate(CORPUS.words[language])
    return {word: number for number, word in words if word in used}


def used_words(language):
    text = " ".join(CORPUS.documents[language].values())
    return set(text.split())


def lexicon_induction(start, source, target):
    """Words of which both sides are in some document; one is its own text."""
    numbers = numbers_of_words(source)
    numbers_of_target = numbers_of_words(target)
    known = set(numbers_of_target.values())

    def is_translation(query, candidate):
        return numbers[query] == numbers_of_target[candidate]

    return Wanted(
        {word: word for word, number in numbers.items() if number in known},
        {word: word for word in numbers_of_target},
        is_translation,
    )


ORACLES = {
    "ad_hoc": ad_hoc,
    "classification": classification,
    "documents": documents,
    "example_task": example_task,
    "lexicon_induction": lexicon_induction,
    "sentences": sentences,
}
DEPTH = {"classification": 1}


def made(name, folder):
    """The task of a name."""
    options = {"ad_hoc": {"qrels": str(folder / "qrels")}, "sentences": {"path": "{language}.txt"}}
    entry = {}
    if name in EXAMPLES:
        entry["module"] = str(EXAMPLES[name])
    kind = TASKS.part_class(name, entry)
    return kind(**options.get(name, {}))


def prepared(task, name, data, folder):
    """What a task builds its searches from."""
    words = {language: list(bags.words["word"]) for language, bags in data.bags.items()}
    if name == "classification":
        return replace(data, bags=labelled(data.bags))
    if name == "lexicon_induction":
        files = {(source, target): folder / f"{source}-{target}.dict" for source, target in PAIRS}
        return replace(data, tables=task.tables(files, words))
    if name in ("ad_hoc", "sentences"):
        counted = {}
        for language in LANGUAGES:
            records = task.records(files_of_task(name, language, folder), language)
            counted[language] = texts.count(records, language, words[language])
        return replace(data, texts=counted)
    return data


def labelled(all_bags):
    """The same bags, whose documents have labels."""
    with_labels = {}
    for language, bags in all_bags.items():
        labels = bags.documents["concept"].map(CORPUS.labels)
        with_labels[language] = replace(bags, documents=bags.documents.assign(label=labels))
    return with_labels


def files_of_task(name, language, folder):
    """What a task reads for itself, of `tests.kit.corpus.give`; sentences as they are aligned."""
    if name == "ad_hoc":
        return {
            "documents": str(folder / f"{language}.judged.jsonl"),
            "queries": str(folder / f"{language}.questions.tsv"),
        }
    table = pd.DataFrame(CORPUS.sentences, dtype=object)
    table["id"] = [f"s{number}" for number in range(len(table))]
    table["concept"] = ""
    table["part"] = ""
    about = {"name": "all", "languages": list(LANGUAGES), "pairs": []}
    aligned.save(folder / "all", table, about)
    return {"aligned": [str(folder / "all")]}


@dataclass(frozen=True)
class Asked:
    """What a search asks: ids of texts, and the grade of each answer."""

    direction: tuple[str, str]
    queries: list[str]
    candidates: list[str]
    grades: dict[tuple[str, str], float]
    depth: int | None

    @classmethod
    def of(cls, search):
        """The same, of a search."""
        queries = search.queries.ids
        candidates = search.candidates.ids
        relevance = search.relevance.tocoo()
        answers = zip(queries[relevance.row], candidates[relevance.col], strict=True)
        return cls(
            direction=(search.query_language, search.target_language),
            queries=queries.tolist(),
            candidates=candidates.tolist(),
            grades=dict(zip(answers, relevance.data.tolist(), strict=True)),
            depth=search.depth,
        )


def asked(task, data, languages=LANGUAGES, pairs=None):
    """What a task asks, by direction."""
    by_direction = {}
    for search in task.searches(replace(data, pairs=pairs), languages, "test"):
        search_asked = Asked.of(search)
        assert search_asked.direction not in by_direction, "a direction is searched twice"
        by_direction[search_asked.direction] = search_asked
    return by_direction


def between_languages(directions):
    return {(source, target) for source, target in directions if source != target}


def check(task, data, wanted, depth):
    """Raise unless a task asks what it should."""
    by_direction = asked(task, data)
    assert between_languages(by_direction) == set(PAIRS), "a direction is missing"
    for direction, search in by_direction.items():
        expected = wanted(direction)
        assert set(search.queries) == set(expected.queries), f"queries of {direction}"
        assert set(search.candidates) == set(expected.candidates), f"candidates of {direction}"
        assert search.grades == expected.relevant, f"answers of {direction}"
        assert len(search.queries) == len(expected.queries) > 5
        assert search.depth == depth
    for languages in itertools.permutations(LANGUAGES):
        assert asked(task, data, languages) == by_direction, "order or chance decides"
    of_pair = asked(task, data, pairs=[("it", "da")])
    expected_pairs = {("da", "it"), ("it", "da")}
    assert between_languages(of_pair) == expected_pairs, "other pairs are searched"


def by_vectors(start):
    """A model of the corpus's own vectors and weights of its words."""
    words = {}
    tables = {}
    weights = {}
    for language, bags in start.data.bags.items():
        words[language] = list(bags.words["word"])
        rows = [CORPUS.words[language].index(word) for word in words[language]]
        tables[language] = CORPUS.vectors[language][rows]
        weights[language] = WEIGHTS[language][rows]
    return WordTables(words, tables, weights)


def check_ranks(task, data, model, wanted, depth):
    """Raise unless the best answers are where a full sort has them."""
    for result in rank_all(task.searches(data, LANGUAGES, "test"), model, ["cosine"]):
        ranked = Ranked.of(result.answers, result.queries)
        for name in task.metrics:
            figures = metrics.values(ranked, name)
            assert figures.min() >= 0
            assert figures.max() <= 1
        direction = (result.query_language, result.target_language)
        expected = wanted(direction)
        assert set(result.queries["query"]) == set(expected.queries)
        best_ranks = result.answers.groupby("query")["rank"].min()
        for query_id, rank in ranks_by_brute_force(expected, direction).items():
            if depth is not None and rank > depth:
                rank = np.inf
            assert best_ranks.get(query_id, np.inf) == rank, (direction, query_id)


def ranks_by_brute_force(expected, direction):
    """The rank of the best answer of each query, by dense matrices."""
    query_language, target_language = direction
    queries = _rows(query_language, expected.queries)
    candidates = _rows(target_language, expected.candidates)
    ranks = {}
    for query_id, row in zip(expected.queries, queries, strict=True):
        scores = candidates @ row
        pairs = [(query_id, candidate_id) for candidate_id in expected.candidates]
        is_answer = np.array([pair in expected.relevant for pair in pairs])
        bar = -np.inf
        if row.any():
            bar = scores[is_answer].max() - 1e-6
        ranks[query_id] = 1 + np.count_nonzero(scores[~is_answer] >= bar)
    return ranks


def _rows(language, texts):
    """Unit rows of texts, by weights and vectors of their words."""
    numbers = numbers_of_words(language)
    counts = np.zeros((len(texts), N_WORDS))
    for row, text in zip(counts, texts.values(), strict=True):
        for word in text.split():
            if word in numbers:
                row[numbers[word]] += 1
    weighted = counts * WEIGHTS[language]
    rows = weighted @ CORPUS.vectors[language].astype(float)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def test_every_task_is_put_through_it():
    assert set(ORACLES) == set(TASKS.known()) | set(EXAMPLES)


@pytest.mark.parametrize("name", ORACLES)
def test_every_task_keeps_it(name, start, folder):
    task = made(name, folder)
    data = prepared(task, name, start.data, folder)
    depth = DEPTH.get(name)

    @cache
    def wanted(direction):
        source, target = direction
        return ORACLES[name](start, source, target)

    check(task, data, wanted, depth)
    check_ranks(task, data, by_vectors(start), wanted, depth)
