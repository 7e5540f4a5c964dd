from pathlib import Path

import pytest
import yaml

from cr5.plan.config import validated
from cr5.plan.paper import rows, table, unlike

WIKIPEDIA = Path(__file__).parents[2] / "config" / "papers" / "wikipedia.yaml"


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
            {"corpus": {"name": "wikipedia", "source": "files", "path": "{language}"}},
            "the text is your own documents, not Wikipedia",
        ),
        ({"bags": {"unique_words": [12, 900]}}, "bags.unique_words is [12, 900], not [50, 1000]"),
        ({"weighting": {"term_frequency": "log"}}, "weighting.term_frequency is log, not raw"),
        ({"splits": {"test": 500}}, "splits.test is 500, not 1000"),
        (
            {"evaluation": {"csls_neighbourhood": "training"}},
            "evaluation.csls_neighbourhood is training, not candidates or queries",
        ),
        ({"languages": ["en", "da"]}, "joint is trained on da, en, not on da, en, it, vi"),
    ],
)
def test_each_difference_is_a_clause(paper, change, clause):
    [found] = unlike(validated(paper | change))
    assert found.startswith(clause)


def test_repetitions_with_their_own_queries_or_not_are_no_difference(paper):
    assert unlike(validated(paper | {"repetitions": 3, "splits": {"redraw": False}})) == []


def test_figures_of_the_paper_go_by_facts_and_not_by_names(paper):
    """Four languages, the system's module and weighting, the kind of the setting, the task."""
    config = validated(
        paper
        | {
            "systems": {
                "mine": {"module": "cr5"},
                "cr5_log": {"module": "cr5", "term_frequency": "log"},
                "cr5": {"module": "lexical_overlap"},
            },
            "settings": {
                "all_four": {"kind": "joint"},
                "joint": {"languages": ["da", "en"]},
                "two": {"kind": "pairwise", "pairs": ["vi-da"]},
            },
            "tasks": {
                "documents": {},
                "again": {"module": "documents"},
                "muse": {"module": "documents", "idf": "own"},
                "translations": {"module": "lexicon_induction"},
            },
        }
    )
    assert rows(config) == [
        ("all_four", "mine", "documents", "Cr5 joint"),
        ("all_four", "mine", "again", "Cr5 joint"),
        ("all_four", "mine", "translations", "Cr5, words"),
        ("two_da-vi", "mine", "documents", "Cr5 pairwise"),
        ("two_da-vi", "mine", "again", "Cr5 pairwise"),
        ("two_da-vi", "mine", "translations", "Cr5, words"),
    ]
    assert [table(config, task) for task in config["tasks"]] == [
        "Table 1",
        "Table 1",
        "Table 1",
        "Table 4",
    ]
    [clause] = set(unlike(config, "translations")) - set(unlike(config))
    assert clause == (
        "the words are not the 1,500 of Dinu et al. (2015) (if they are, add "
        "`protocol: {translations: cr5}`)"
    )


LOW, TRANSITIVE = "Cr5 pairwise low-resource", "Cr5 transitive"


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ({"concepts": [10_000]}, [("x_da-vi_10000", LOW)]),
        ({"concepts": [100, 10_000, 20_000]}, [("x_da-vi_10000", LOW)]),
        ({"concepts": [100, 200]}, [("x_da-vi_200", LOW)]),
        ({"concepts": [10_000], "via": ["en"]}, []),
        (
            {"concepts": [90, 9], "pairs": ["da-vi", "en-it"]},
            [("x_da-vi_90", LOW), ("x_en-it_90", LOW)],
        ),
        ({"kind": "transitive", "via": ["en"]}, [("x_da-vi", TRANSITIVE)]),
        ({"kind": "transitive", "via": ["en", "it"]}, []),
    ],
)
def test_settings_in_which_a_pair_is_cut(paper, setting, expected):
    given = {"kind": "low_resource", "pairs": ["vi-da"], "systems": ["cr5"], **setting}
    config = validated(paper | {"settings": {"x": given}})
    assert rows(config) == [(name, "cr5", "documents", row) for name, row in expected]


def test_in_what_a_cut_differs_from_the_paper_s(paper):
    few = {"kind": "low_resource", "pairs": ["vi-da"], "concepts": [50, 100]}
    linked = {"kind": "transitive", "pairs": ["vi-da"], "via": ["en"]}
    config = {"few": few, "more": {**few, "via": ["en"]}}
    config |= {"linked": linked, "split": {**linked, "shared": "split"}}
    assert unlike(validated(paper | {"settings": config})) == [
        "few_da-vi_100 trains on 100 concepts, not on 10000",
        "in split_da-vi, concepts of both da and vi train in one of them, not in none",
    ]


OWN_IDF = {"idf": "own_tfidf"}
EUROPARL = {"sentences": "cr5"}


def test_sentences_compare_with_table_3_where_they_are_europarl_s(paper):
    place = {"address": "http://host/europarl/{first}-{second}.tgz", "pairs": ["it-en"]}
    europarl = {**place, "idf": "own"}
    tasks = {
        "documents": {},
        "sentences": europarl,
        "flores": {"module": "sentences", "path": "{language}.txt", **OWN_IDF, "queries": 500},
    }
    systems = {"cr5": {}, "advrefine": {}, "lexical_overlap": {}}
    config = validated(paper | {"tasks": tasks, "systems": systems, "protocol": EUROPARL})
    assert [table(config, x) for x in tasks] == ["Table 1", "Table 3", "Table 3"]
    assert unlike(config, "sentences") == []
    assert unlike(config, "flores") == [
        "the sentences are not Europarl's (if they are, add `protocol: {flores: cr5}`)",
        "tasks.flores.queries is 500, not 2000",
    ]
    found = {(system, task): row for _, system, task, row in rows(config)}
    assert found["cr5", "sentences"] == found["cr5", "flores"] == "Cr5, sentences"
    assert found["advrefine", "sentences"] == "AdvRefine, sentences"
    assert found["advrefine", "documents"] == "AdvRefine"
    assert not any("lexical_overlap" in key for key in found)


def test_settings_that_a_task_does_not_test_are_no_matter_of_its(paper):
    few = {"kind": "low_resource", "pairs": ["vi-da"], "concepts": [50], "tasks": ["documents"]}
    two = {"kind": "joint", "languages": ["da", "en"], "tasks": ["documents"]}
    lines = {"path": "europarl.{language}", **OWN_IDF}
    config = {"tasks": {"documents": {}, "sentences": lines}, "protocol": EUROPARL}
    config["settings"] = {"joint": {}, "few": few, "two": two}
    config = validated(paper | config)
    assert len(unlike(config, "documents")) == 2
    assert unlike(config, "sentences") == []
