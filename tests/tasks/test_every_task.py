"""What every task keeps: it asks what is worked out here from the corpus.

And its answers rank as brute force ranks them, whatever the order of languages.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import pytest

from tests.kit import inside, parts
from tests.kit.corpus import CORPUS, LANGUAGES, N_WORDS, give

EXAMPLES = {path.stem: path for path in Path(__file__).parent.glob("example_*.py")}
PAIRS = list(itertools.permutations(LANGUAGES, 2))
WEIGHTS = {x: np.random.default_rng(i).uniform(0.5, 2, N_WORDS) for i, x in enumerate(LANGUAGES)}


@dataclass(frozen=True)
class Wanted:
    """What a search should be: texts by their names, and the grade of a query and a candidate."""

    queries: dict[str, str]
    candidates: dict[str, str]
    grade: Callable[[str, str], float]

    @cached_property
    def relevant(self):
        pairs = itertools.product(self.queries, self.candidates)
        return {pair: grade for pair in pairs if (grade := self.grade(*pair))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return give(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def start(folder):
    return inside.given(folder, LANGUAGES)


def of(texts, names):
    return {name: texts[name] for name in texts if name in set(names)}


def drawn(start, a, b):
    """Concepts that are queries of a pair, documents that are searched, and all queries."""
    queries, candidates = start.data.drawn.queries, start.data.drawn.candidates
    of_pair = (queries["first"] == min(a, b)) & (queries["second"] == max(a, b))
    asked = queries.loc[of_pair & (queries["role"] == "test"), "concept"]
    searched = candidates.loc[candidates["language"] == b, "concept"]
    return set(asked), set(searched), set(queries["concept"])


def documents(start, a, b, grade=lambda q, c: q == c):
    asked, searched, _ = drawn(start, a, b)
    texts = CORPUS.documents
    return Wanted(of(texts[a], asked), of(texts[b], searched), grade)


def example_task(start, a, b):
    """No concept is in a folder, so all are in the same."""
    return documents(start, a, b, lambda q, c: 1 + (q == c))


def sentences(start, a, b):
    texts = {x: {f"s{i}": line for i, line in enumerate(CORPUS.sentences[x])} for x in (a, b)}
    return Wanted(texts[a], texts[b], lambda q, c: q == c)


def ad_hoc(start, a, b):
    """Questions that some document of the other language answers."""
    judged = {(str(q), c) for q, c in CORPUS.judgements}
    answered = {q for q, c in judged if c in CORPUS.documents[b]}
    questions = {str(i): text for i, text in enumerate(CORPUS.questions[a])}
    return Wanted(of(questions, answered), CORPUS.documents[b], lambda q, c: (q, c) in judged)


def classification(start, a, b):
    """Documents that are no query of any pair are labelled."""
    pairs = [(a, b)] if a != b else [pair for pair in PAIRS if a in pair]
    asked = set().union(*(drawn(start, *pair)[0] for pair in pairs))
    held_out = drawn(start, a, b)[2]
    labelled = {c: text for c, text in CORPUS.documents[b].items() if c not in held_out}
    same = lambda q, c: CORPUS.labels(q) == CORPUS.labels(c)  # noqa: E731
    return Wanted(of(CORPUS.documents[a], asked), labelled, same)


def lexicon_induction(start, a, b):
    """Words of which both sides are in some document; one is its own text."""
    used = {x: set(" ".join(CORPUS.documents[x].values()).split()) for x in (a, b)}
    number = {x: {w: i for i, w in enumerate(CORPUS.words[x]) if w in used[x]} for x in (a, b)}
    known = set(number[b].values())
    queries = {word: word for word, i in number[a].items() if i in known}
    return Wanted(queries, {w: w for w in number[b]}, lambda q, c: number[a][q] == number[b][c])


ORACLES = {
    x.__name__: x
    for x in (ad_hoc, classification, documents, example_task, lexicon_induction, sentences)
}
DEPTH = {"classification": 1}


def check(task, data, wanted, depth=None):
    """Raise unless a task asks what it should, and brute force finds its ranks."""
    listed = parts.asked(task, data, LANGUAGES)
    found = dict(listed)
    assert len(found) == len(listed), "a direction is searched twice"
    assert {pair for pair in found if pair[0] != pair[1]} == set(PAIRS), "a direction is missing"
    for (a, b), search in found.items():
        expected = wanted(a, b)
        assert set(search.queries) == set(expected.queries), f"queries of {a}-{b}"
        assert set(search.candidates) == set(expected.candidates), f"candidates of {a}-{b}"
        assert search.relevant == expected.relevant, f"answers of {a}-{b}"
        assert len(set(search.queries)) == len(search.queries) > 5
        assert search.depth == depth
    for order in itertools.permutations(LANGUAGES):
        assert dict(parts.asked(task, data, order)) == found, "order or chance decides"
    of_pair = dict(parts.asked(task, data, LANGUAGES, pairs=[("it", "da")]))
    across = {pair for pair in of_pair if pair[0] != pair[1]}
    assert across == {("da", "it"), ("it", "da")}, "other pairs are searched"


def check_ranks(ranks, wanted, depth):
    """Raise unless the best answers are where a full sort has them."""
    for (a, b), of_query in ranks.items():
        expected = wanted(a, b)
        relevant = expected.relevant
        rows = {x: _rows(x, y) for x, y in ((a, expected.queries), (b, expected.candidates))}
        queries = _rows(a, expected.queries)
        scores = queries @ rows[b].T
        for i, query in enumerate(expected.queries):
            right = np.array([(query, c) in relevant for c in expected.candidates])
            least = scores[i][right].max() - 1e-6 if queries[i].any() else -np.inf
            rank = 1 + (scores[i][~right] >= least).sum()
            assert of_query[query] == (rank if rank <= (depth or np.inf) else np.inf), (a, b, query)


def _rows(language, texts):
    """Unit rows of texts, by weights and vectors of their words."""
    numbers = {word: i for i, word in enumerate(CORPUS.words[language])}
    known = set(" ".join(CORPUS.documents[language].values()).split())
    counts = np.zeros((len(texts), N_WORDS))
    for row, text in zip(counts, texts.values(), strict=True):
        np.add.at(row, [numbers[word] for word in text.split() if word in known], 1)
    rows = (counts * WEIGHTS[language]) @ CORPUS.vectors[language].astype(float)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def test_every_task_is_put_through_it():
    assert set(ORACLES) == parts.tasks() | set(EXAMPLES)


@pytest.mark.parametrize("name", ORACLES)
def test_every_task_keeps_it(name, start, folder):
    data, task = parts.prepared(name, parts.task(EXAMPLES.get(name, name)), start, folder)
    depth = DEPTH.get(name)

    @cache
    def wanted(a, b):
        return ORACLES[name](start, a, b)

    check(task, data, wanted, depth=depth)
    model = parts.by_vectors(start, WEIGHTS)
    check_ranks(parts.best_ranks(task, data, LANGUAGES, model), wanted, depth)
