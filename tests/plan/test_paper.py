from pathlib import Path

import pytest
import yaml

from cr5.plan.config import validated
from cr5.plan.paper import rows, table_of, unlike

WIKIPEDIA = Path(__file__).parents[2] / "config" / "wikipedia.yaml"


@pytest.fixture
def paper():
    """Sec. 4.1 and 4.2: Wikipedia, 50 to 1000 unique words, 1,000 queries, 200,000 candidates."""
    return {
        "corpus": {"name": "enwiki", "source": "wikipedia", "contact": "tests"},
        "languages": ["vi", "da", "it", "en"],
        "bags": {"min_documents": 3, "max_words": 200_000, "unique_words": [50, 1000]},
        "weighting": {"term_frequency": "raw"},
        "splits": {"test": 1000, "validation": 1000, "candidates": 200_000},
    }


def test_the_paper_s_own_setting_is_not_unlike_it(paper):
    assert unlike(validated(paper)) == []
    assert unlike(validated(yaml.safe_load(WIKIPEDIA.read_text()))) == []


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        (
            {"corpus": {"name": "x", "source": "libreoffice_help"}},
            "the text is LibreOffice's help, not Wikipedia",
        ),
        (
            {"corpus": {"name": "wikipedia", "source": "jsonl", "path": "{language}"}},
            "the text is your own, not the paper's Wikipedia",
        ),
        ({"bags": {"unique_words": [12, 900]}}, "bags.unique_words is [12, 900], not [50, 1000]"),
        ({"weighting": {"term_frequency": "log"}}, "weighting.term_frequency is log, not raw"),
        ({"splits": {"test": 500}}, "splits.test is 500, not 1000"),
        ({"splits": {"candidates_reading": "code"}}, "splits.candidates_reading is code, not pap"),
        ({"languages": ["en", "da"]}, "joint is trained on da, en, not on da, en, it, vi"),
    ],
)
def test_each_difference_is_a_clause(paper, change, clause):
    [found] = unlike(validated(paper | change))
    assert found.startswith(clause)


def test_repetitions_with_their_own_queries_or_not_are_no_difference(paper):
    assert unlike(validated(paper | {"repetitions": 3, "splits": {"redraw": False}})) == []


def test_figures_of_the_paper_go_by_facts_and_not_by_names(paper):
    """Four languages, the module of the system, the kind of the setting, the task."""
    config = validated(
        paper
        | {
            "systems": {"mine": {"module": "cr5"}, "cr5": {"module": "untranslated"}},
            "settings": {
                "all_four": {"kind": "joint"},
                "joint": {"languages": ["da", "en"]},
                "two": {"kind": "pairwise", "pairs": ["vi-da"]},
            },
            "tasks": {"documents": {}, "again": {"module": "documents"}},
        }
    )
    assert rows(config) == [
        ("all_four", "mine", "documents", "Cr5 joint"),
        ("all_four", "mine", "again", "Cr5 joint"),
        ("two_da-vi", "mine", "documents", "Cr5 pairwise"),
        ("two_da-vi", "mine", "again", "Cr5 pairwise"),
    ]


def test_sentences_compare_with_table_3_where_they_are_europarl_s(paper):
    europarl = {"address": "http://host/europarl/{first}-{second}.tgz", "pairs": ["it-en"]}
    tasks = {
        "documents": {},
        "sentences": europarl,
        "flores": {"module": "sentences", "path": "{language}.txt", "queries": 500},
    }
    systems = {"cr5": {}, "advrefine": {}, "untranslated": {}}
    config = validated(paper | {"tasks": tasks, "systems": systems})
    assert [table_of(config, x) for x in tasks] == ["Table 1", "Table 3", "Table 3"]
    assert unlike(config, "sentences") == []
    assert unlike(config, "flores") == [
        "the sentences are not Europarl's",
        "queries is 500, not 2000",
    ]
    found = {(system, task): row for _, system, task, row in rows(config)}
    assert found["cr5", "sentences"] == found["cr5", "flores"] == "Table 3: Cr5"
    assert found["advrefine", "sentences"] == "Table 3: AdvRefine"
    assert found["advrefine", "documents"] == "AdvRefine"
    assert not any("untranslated" in key for key in found)
