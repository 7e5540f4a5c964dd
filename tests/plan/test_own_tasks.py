"""Tasks of one's own that declare more than their classes have are refused before any job."""

import re

import pytest

from cr5.base.errors import UserError
from cr5.plan.plan import Plan

OWN = """
from cr5.contracts.task import Task
from cr5.tasks.classification import Classification
from cr5.tasks.lexicon_induction import LexiconInduction
from cr5.tasks.sentences import Sentences

class Mine({base}):
    {body}

    def searches(self, data, languages, role): ...
"""
OF_CORPUS = """parallel = True
    idf: str = "corpus"
    min_words: int = 1
    of_corpus: bool = True
"""


@pytest.fixture
def with_task(configured, tmp_path):
    """Give a function that configures a task of one's own, below some class, with some body."""

    def configuration_of(base, body, **keys):
        path = tmp_path / "mine.py"
        path.write_text(OWN.format(base=base, body=body))
        return configured(["da", "en"], tasks={"mine": {"module": str(path), **keys}})

    return configuration_of


@pytest.mark.parametrize(
    ("body", "mistake", "stands_below"),
    [
        ("parallel = True", "Mine.parallel: missing the key or method of_corpus", "Sentences"),
        (
            "parallel = True\n    of_corpus: bool = True",
            "Mine.parallel: missing the key or method idf",
            "Sentences",
        ),
        ("of_pairs = 'words'", "Mine.of_pairs: 'words' is none of its keys", "LexiconInduction"),
        (
            "of_pairs = 'words'\n    words: str = 'freedict'",
            "Mine.of_pairs: missing the key or method tables",
            "LexiconInduction",
        ),
        (
            "needs_labels = True",
            "Mine.needs_labels: missing the key or method parts",
            "Classification",
        ),
    ],
)
def test_what_is_declared_and_not_there_is_named_with_what_to_do(
    with_task, body, mistake, stands_below
):
    expected = rf"tasks\.mine\.module: \S*mine\.py: {re.escape(mistake)}; .*\.{stands_below}\b"
    with pytest.raises(UserError, match=expected):
        with_task("Task", body)


def test_parallel_text_that_is_not_the_corpus_s_needs_keys_that_say_where_it_is(with_task):
    with pytest.raises(UserError, match=r"tasks\.mine: .* no key `path`, .*\.Sentences\b"):
        with_task("Task", OF_CORPUS, of_corpus=False)


@pytest.mark.parametrize(
    ("base", "body", "keys"),
    [
        ("Sentences", "min_words: int = 3", {}),
        ("LexiconInduction", "limit: int = 3", {}),
        ("Classification", "tested: str = 'drawn'", {"path": "x.{language}.{part}"}),
        ("Task", OF_CORPUS, {}),
    ],
)
def test_what_has_all_that_it_declares_is_planned(with_task, base, body, keys):
    plan = Plan(with_task(base, body, **keys), lambda path: None)
    assert plan.steps.rank("joint", "cr5", 1, "mine").task.entry == "mine"
