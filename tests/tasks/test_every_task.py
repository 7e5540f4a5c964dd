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
    of_pair = (table["first"] == first) & (table["second"] == second)
    return set(table.loc[of_pair & (table["role"] == "test"), "concept"])


def is_same(query, candidate):
    return query == candidate


def documents(start, source, target, grade=is_same):
    table = start.data.drawn.candidates
    searched = set(table.loc[table["language"] == target, "concept"])
    return Wanted(
        select(CORPUS.documents[source], drawn_queries(start, source, target)),
        select(CORPUS.documents[target], searched),
        grade,
    )


def example_task(start, source, target):
    """No concept is in a folder, so all are in the same."""
    return documents(start, source, target, lambda query, candidate: 1 + (query == candidate))


def sentences(start, source, target):
    texts = {}
    for language in (source, target):
        lines = CORPUS.sentences[language]
        texts[language] = {f"s{number}": line for number, line in enumerate(lines)}
    return Wanted(texts[source], texts[target], is_same)


def ad_hoc(start, source, target):
    """Questions that some document of the other language answers."""
    judged = {(str(question), concept) for question, concept in CORPUS.judgements}
    candidates = CORPUS.documents[target]
    answered = {question for question, concept in judged if concept in candidates}
    questions = {str(number): text for number, text in enumerate(CORPUS.questions[source])}

    def is_judged(query, candidate):
        return (query, candidate) in judged

    return Wanted(select(questions, answered), candidates, is_judged)


def classification(start, source, target):
    """Documents that are no query of any pair are labelled."""
    of_pairs = [drawn_queries(start, *pair) for pair in PAIRS if source in pair]
    held_out = set(start.data.drawn.queries["concept"])
    documents = CORPUS.documents[target]

    def have_one_label(query, candidate):
        return CORPUS.labels(query) == CORPUS.labels(candidate)

    return Wanted(
        select(CORPUS.documents[source], set().union(*of_pairs)),
        {concept: text for concept, text in documents.items() if concept not in held_out},
        have_one_label,
    )


def lexicon_induction(start, source, target):
    """Words of which both sides are in some document; one is its own text."""
    numbers = {}
    for language in (source, target):
        used = set(" ".join(CORPUS.documents[language].values()).split())
        words = enumerate(CORPUS.words[language])
        numbers[language] = {word: number for number, word in words if word in used}
    known = set(numbers[target].values())

    def is_translation(query, candidate):
        return numbers[source][query] == numbers[target][candidate]

    return Wanted(
        {word: word for word, number in numbers[source].items() if number in known},
        {word: word for word in numbers[target]},
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


def prepared(name, start, folder):
    """A task, and what it builds its searches from."""
    options = {"ad_hoc": {"qrels": str(folder / "qrels")}, "sentences": {"path": "{language}.txt"}}
    module = {"module": str(EXAMPLES[name])} if name in EXAMPLES else {}
    task = TASKS.kind(name, module)(**options.get(name, {}))
    data = start.data
    words = {language: list(bags.words["word"]) for language, bags in data.bags.items()}
    if name == "classification":
        return task, replace(data, bags=labelled(data.bags))
    if name == "lexicon_induction":
        files = {(source, target): folder / f"{source}-{target}.dict" for source, target in PAIRS}
        return task, replace(data, tables=task.tables(files, words))
    if name in options:
        counted = {}
        for language in LANGUAGES:
            records = task.records(files_of_task(name, language, folder), language)
            counted[language] = texts.count(records, language, words[language])
        return task, replace(data, texts=counted)
    return task, data


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
    ids = [f"s{number}" for number in range(len(table))]
    about = {"name": "all", "languages": list(LANGUAGES), "pairs": []}
    aligned.save(folder / "all", table.assign(id=ids, concept="", part=""), about)
    return {"aligned": [str(folder / "all")]}


def asked(task, data, languages=LANGUAGES, pairs=None):
    """Each search: its direction; and queries, candidates, grades of answers, depth."""
    listed = []
    for search in task.searches(replace(data, pairs=pairs), languages, "test"):
        query_ids = search.queries.ids
        candidate_ids = search.candidates.ids
        relevance = search.relevance.tocoo()
        answers = zip(query_ids[relevance.row], candidate_ids[relevance.col], strict=True)
        grades = dict(zip(answers, relevance.data.tolist(), strict=True))
        direction = (search.query_language, search.target_language)
        content = (query_ids.tolist(), candidate_ids.tolist(), grades, search.depth)
        listed.append((direction, content))
    return listed


def between_languages(directions):
    return {(source, target) for source, target in directions if source != target}


def check(task, data, wanted, depth=None):
    """Raise unless a task asks what it should, and brute force finds its ranks."""
    listed = asked(task, data)
    by_direction = dict(listed)
    assert len(by_direction) == len(listed), "a direction is searched twice"
    assert between_languages(by_direction) == set(PAIRS), "a direction is missing"
    for direction, (query_ids, candidate_ids, grades, search_depth) in by_direction.items():
        expected = wanted(*direction)
        assert set(query_ids) == set(expected.queries), f"queries of {direction}"
        assert set(candidate_ids) == set(expected.candidates), f"candidates of {direction}"
        assert grades == expected.relevant, f"answers of {direction}"
        assert len(query_ids) == len(set(query_ids))
        assert len(query_ids) > 5
        assert search_depth == depth
    for languages in itertools.permutations(LANGUAGES):
        assert dict(asked(task, data, languages)) == by_direction, "order or chance decides"
    of_pair = dict(asked(task, data, pairs=[("it", "da")]))
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
        for name in task.metrics:
            figures = metrics.values(Ranked.of(result.answers, result.queries), name)
            assert ((figures >= 0) & (figures <= 1)).all()
        expected = wanted(result.query, result.target)
        assert set(result.queries["query"]) == set(expected.queries)
        best_ranks = result.answers.groupby("query")["rank"].min()
        ranks = ranks_by_brute_force(expected, result.query, result.target)
        for query_id, rank in ranks.items():
            if depth is not None and rank > depth:
                rank = np.inf
            assert best_ranks.get(query_id, np.inf) == rank, (result.query, result.target, query_id)


def ranks_by_brute_force(expected, query_language, target_language):
    """The rank of the best answer of each query, by dense matrices."""
    queries = _rows(query_language, expected.queries)
    scores = queries @ _rows(target_language, expected.candidates).T
    ranks = {}
    for number, query_id in enumerate(expected.queries):
        is_answer = [
            (query_id, candidate) in expected.relevant for candidate in expected.candidates
        ]
        is_answer = np.array(is_answer)
        bar = scores[number][is_answer].max() - 1e-6 if queries[number].any() else -np.inf
        ranks[query_id] = 1 + (scores[number][~is_answer] >= bar).sum()
    return ranks


def _rows(language, texts):
    """Unit rows of texts, by weights and vectors of their words."""
    numbers = {word: number for number, word in enumerate(CORPUS.words[language])}
    known = set(" ".join(CORPUS.documents[language].values()).split())
    counts = np.zeros((len(texts), N_WORDS))
    for row, text in zip(counts, texts.values(), strict=True):
        for word in text.split():
            if word in known:
                row[numbers[word]] += 1
    rows = (counts * WEIGHTS[language]) @ CORPUS.vectors[language].astype(float)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def test_every_task_is_put_through_it():
    assert set(ORACLES) == {*TASKS.known(), *EXAMPLES}


@pytest.mark.parametrize("name", ORACLES)
def test_every_task_keeps_it(name, start, folder):
    task, data = prepared(name, start, folder)
    depth = DEPTH.get(name)

    @cache
    def wanted(source, target):
        return ORACLES[name](start, source, target)

    check(task, data, wanted, depth=depth)
    check_ranks(task, data, by_vectors(start), wanted, depth)
