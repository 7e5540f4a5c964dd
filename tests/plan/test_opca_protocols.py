from pathlib import Path

import pytest
import yaml

from cr5.plan.config import validated
from cr5.plan.opca_protocols import unlike

ROOT = Path(__file__).parents[2] / "config"
SPEECHES = {
    "corpus": {"name": "s", "source": "jsonl", "path": "/data/Europarl-v2/{language}.jsonl"},
    "languages": ["en", "es"],
    "bags": {"unique_words": [1, 100_000]},
    "splits": {"test": 18_415, "candidates": 18_415, "validation": 11_933},
    "systems": {"lexical_overlap": {}},
}
ARTICLES = {"test": 8675, "candidates": 8675, "validation": 8675}


def found(**changes):
    return unlike(validated(SPEECHES | changes), "documents")


def test_speeches_of_europarl_are_not_unlike_the_paper_s():
    assert found()["opca_europarl"] == []
    assert len(found()["opca_wikipedia"]) == 4


def test_articles_of_wikipedia_are_not_unlike_the_paper_s():
    config = yaml.safe_load((ROOT / "wikipedia.yaml").read_text(encoding="utf-8"))
    clauses = unlike(validated(config | {"splits": ARTICLES}), "documents")
    assert clauses["opca_wikipedia"] == []
    assert clauses["opca_europarl"][0] == "the text is not speeches of Europarl"
    assert clauses["opca_reuters"] == ["the documents are not Multilingual Reuters'"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"corpus": {"name": "s", "source": "libreoffice_help"}}, "the text is not speeches"),
        ({"splits": SPEECHES["splits"] | {"test": 100}}, "splits.test is 100, not 18415"),
        ({"splits": SPEECHES["splits"] | {"candidates": 9}}, "splits.candidates is 9, not 18415"),
        (
            {"splits": SPEECHES["splits"] | {"query_unique_words": [20, 90]}},
            "splits.query_unique_words is [20, 90]",
        ),
        ({"bags": {"unique_words": [50, 1000]}}, "documents of fewer than 50 different words"),
    ],
)
def test_what_differs_is_named(changes, expected):
    [clause] = found(**changes)["opca_europarl"]
    assert clause.startswith(expected)
