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

from cr5.base.catalogue import TASKS
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
    asked = set().union(*(drawn(start, *pair)[0] for pair in PAIRS if a in pair))
    held_out = drawn(start, a, b)[2]
    labelled = {c: text for c, text in CORPUS.documents[b].items() if c not in held_out}
    of_class = CORPUS.labels
    queries = of(CORPUS.documents[a], asked)
    return Wanted(queries, labelled, lambda q, c: of_class(q) == of_class(c))


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


def prepared(name, start, folder):
    """A task, and what it builds its searches from."""
    options = {"ad_hoc": {"qrels": str(folder / "qrels")}, "sentences": {"path": "{language}.txt"}}
    own = {"module": str(EXAMPLES[name])} if name in EXAMPLES else {}
    task, data = TASKS.kind(name, own)(**options.get(name, {})), start.data
    words = {x: list(bags.words["word"]) for x, bags in data.bags.items()}
    if name == "classification":
        bags = {}
        for x, each in data.bags.items():
            labels = each.documents["concept"].map(CORPUS.labels)
            bags[x] = replace(each, documents=each.documents.assign(label=labels))
        data = replace(data, bags=bags)
    if name == "lexicon_induction":
        files = {(a, b): folder / f"{a}-{b}.dict" for a, b in PAIRS}
        data = replace(data, tables=task.tables(files, words))
    if name in options:
        read = {x: task.records(own_files(name, x, folder), x) for x in LANGUAGES}
        data = replace(data, texts={x: texts.count(read[x], x, words[x]) for x in LANGUAGES})
    return task, data


def own_files(name, language, folder):
    """What a task reads for itself, of `tests.kit.corpus.give`; sentences as they are aligned."""
    if name == "ad_hoc":
        names = {"documents": "judged.jsonl", "queries": "questions.tsv"}
        return {x: str(folder / f"{language}.{end}") for x, end in names.items()}
    frame = pd.DataFrame(CORPUS.sentences, dtype=object)
    frame = frame.assign(id=[f"s{i}" for i in range(len(frame))], concept="", part="")
    aligned.save(folder / "all", frame, {"name": "all", "languages": [*LANGUAGES], "pairs": []})
    return {"aligned": [str(folder / "all")]}


def asked(task, data, languages=LANGUAGES, pairs=None):
    """Each search: its direction; queries, candidates, grades of answers, depth."""
    found = []
    for x in task.searches(replace(data, pairs=pairs), languages, "test"):
        queries, candidates, r = x.queries.ids, x.candidates.ids, x.relevance.tocoo()
        answers = zip(queries[r.row], candidates[r.col], strict=True)
        relevant = dict(zip(answers, r.data.tolist(), strict=True))
        of = queries.tolist(), candidates.tolist(), relevant, x.depth
        found.append(((x.query_language, x.target_language), of))
    return found


def check(task, data, wanted, depth=None):
    """Raise unless a task asks what it should, and brute force finds its ranks."""
    listed = asked(task, data)
    found = dict(listed)
    assert len(found) == len(listed), "a direction is searched twice"
    assert {pair for pair in found if pair[0] != pair[1]} == set(PAIRS), "a direction is missing"
    for (a, b), (queries, candidates, relevant, to) in found.items():
        expected = wanted(a, b)
        assert set(queries) == set(expected.queries), f"queries of {a}-{b}"
        assert set(candidates) == set(expected.candidates), f"candidates of {a}-{b}"
        assert relevant == expected.relevant, f"answers of {a}-{b}"
        assert len(set(queries)) == len(queries) > 5
        assert to == depth
    for order in itertools.permutations(LANGUAGES):
        assert dict(asked(task, data, order)) == found, "order or chance decides"
    of_pair = dict(asked(task, data, pairs=[("it", "da")]))
    across = {pair for pair in of_pair if pair[0] != pair[1]}
    assert across == {("da", "it"), ("it", "da")}, "other pairs are searched"


def by_vectors(start):
    """A model of the corpus's own vectors and weights of its words."""
    words, tables, own = {}, {}, {}
    for x, bags in start.data.bags.items():
        words[x] = list(bags.words["word"])
        rows = [CORPUS.words[x].index(word) for word in words[x]]
        tables[x], own[x] = CORPUS.vectors[x][rows], WEIGHTS[x][rows]
    return WordTables(words, tables, own)


def check_ranks(task, data, model, wanted, depth):
    """Raise unless the best answers are where a full sort has them."""
    for found in rank_all(task.searches(data, LANGUAGES, "test"), model, ["cosine"]):
        for name in task.metrics:
            values = metrics.values(Ranked.of(found.answers, found.queries), name)
            assert ((values >= 0) & (values <= 1)).all()
        best, a, b = found.answers.groupby("query")["rank"].min(), found.query, found.target
        expected = wanted(a, b)
        relevant = expected.relevant
        assert set(found.queries["query"]) == set(expected.queries)
        queries = _rows(a, expected.queries)
        scores = queries @ _rows(b, expected.candidates).T
        for i, query in enumerate(expected.queries):
            right = np.array([(query, c) in relevant for c in expected.candidates])
            least = scores[i][right].max() - 1e-6 if queries[i].any() else -np.inf
            rank = 1 + (scores[i][~right] >= least).sum()
            place = rank if rank <= (depth or np.inf) else np.inf
            assert best.get(query, np.inf) == place, (a, b, query)


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
    assert set(ORACLES) == {*TASKS.known(), *EXAMPLES}


@pytest.mark.parametrize("name", ORACLES)
def test_every_task_keeps_it(name, start, folder):
    task, data = prepared(name, start, folder)
    depth = DEPTH.get(name)

    @cache
    def wanted(a, b):
        return ORACLES[name](start, a, b)

    check(task, data, wanted, depth=depth)
    check_ranks(task, data, by_vectors(start), wanted, depth)
