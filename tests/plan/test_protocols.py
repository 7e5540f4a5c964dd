"""Whether figures may be compared with published ones, by what a configuration says."""

from pathlib import Path

import pytest
import yaml

from cr5.plan.config import validated
from cr5.plan.protocols import PROTOCOLS, unlike
from cr5.report.reproduction import plan

ROOT = Path(__file__).parents[2] / "config"
WORDS = "lexicon_induction"
AS_THEY_STAND = {
    "case": "keep",
    "tokens": "words",
    "vocabulary": "text",
    "min_documents": 1,
    "unique_words": [1, 100_000],
}
SPEECHES = {
    "corpus": {"name": "s", "source": "files", "path": "/data/{language}.jsonl"},
    "languages": ["en", "es"],
    "bags": AS_THEY_STAND,
    "splits": {"given": {"test": ["ep-00-*", "ep-03-0*"], "validation": ["ep-01-*"]}},
    "systems": {"lexical_overlap": {}},
    "protocol": {"documents": "opca_europarl"},
}
ARTICLES = {"test": 8675, "candidates": 8675, "validation": 8675}


def config(name, **changes):
    [path] = ROOT.rglob(name)
    return validated(yaml.safe_load(path.read_text(encoding="utf-8")) | changes)


def test_the_plan_names_no_other_protocols():
    assert set(plan()["protocol"]) == {"cr5", *PROTOCOLS}


@pytest.mark.parametrize(
    ("name", "task", "protocol"),
    [
        ("rcsls.yaml", WORDS, "muse"),
        ("wacky.yaml", WORDS, "wacky"),
        ("europarl_speeches.yaml", "documents", "opca_europarl"),
        ("europarl_long_speeches.yaml", "documents", "opca_europarl"),
        ("reuters.yaml", "classes", "opca_reuters"),
        ("reuters_mt.yaml", "classes", "opca_reuters_mt"),
        ("xcnn.yaml", "documents", "xcnn_sentences"),
        ("xcnn.yaml", "fire_known", "xcnn_fire"),
        ("xcnn_mt.yaml", "documents", "xcnn_sentences_mt"),
        ("xcnn_mt.yaml", "fire_known", "xcnn_fire_mt"),
    ],
)
def test_the_configuration_of_a_paper_is_not_unlike_it(name, task, protocol):
    found = unlike(config(name), task)
    assert [x for x, clauses in found.items() if not clauses] == [protocol]


def test_the_data_of_another_paper_have_to_be_named():
    [clause] = unlike(config("rcsls.yaml"), WORDS)["wacky"]
    assert clause == (
        "the data are not Dinu et al.'s vectors and dictionaries (if they are, add "
        "`protocol: {lexicon_induction: wacky}`)"
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"bags": {}}, "bags.vocabulary is training, not vectors"),
        (
            {"vectors": {"path": "wiki.{language}.vec", "most_frequent": 9}},
            "vectors.most_frequent is 9, not 200000",
        ),
        (
            {"tasks": {WORDS: {"dictionaries": "{source}{target}", "limit": 10}, "documents": {}}},
            "tasks.lexicon_induction.limit is 10, not None",
        ),
        ({"evaluation": {"csls_neighbours": 3}}, "evaluation.csls_neighbours is 3, not 10"),
        (
            {"dictionary": {"dictionaries": "freedict", "offset": 2}},
            "dictionary.offset is 2, not 0",
        ),
        ({"protocol": {}}, "the data are not fastText's vectors of Wikipedia and MUSE's dictionar"),
    ],
)
def test_what_differs_from_muse_is_named(changes, expected):
    [clause] = unlike(config("rcsls.yaml", **changes), WORDS)["muse"]
    assert clause.startswith(expected)


def found(**changes):
    return unlike(validated(SPEECHES | changes), "documents")


def test_speeches_of_europarl_are_not_unlike_the_paper_s():
    assert found()["opca_europarl"] == []
    assert len(found()["opca_wikipedia"]) == 4


def test_articles_of_wikipedia_are_not_unlike_the_paper_s():
    clauses = unlike(config("wikipedia.yaml", splits=ARTICLES, bags=AS_THEY_STAND), "documents")
    assert clauses["opca_wikipedia"] == []
    assert clauses["opca_europarl"][0].startswith("the data are not speeches of Europarl (if")
    assert clauses["opca_reuters"][1:] == ["tasks.documents.tested is None, not own"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"protocol": {}}, "the data are not speeches of Europarl"),
        (
            {"splits": {"test": 18_415}},
            "splits.given is None, not {'test': ['ep-00-*', 'ep-03-0*']",
        ),
        (
            {"splits": SPEECHES["splits"] | {"query_unique_words": [20, 90]}},
            "splits.query_unique_words is [20, 90], not None",
        ),
        ({"bags": SPEECHES["bags"] | {"case": "lower"}}, "bags.case is lower, not keep"),
        ({"bags": SPEECHES["bags"] | {"tokens": "nltk"}}, "bags.tokens is nltk, not words"),
        ({"bags": AS_THEY_STAND | {"stemmer": "snowball"}}, "bags.stemmer is snowball, not none"),
        (
            {"alignments": {"path": "{source}-{target}.tsv"}},
            "alignments.path is {source}-{target}.tsv, not None",
        ),
        (
            {"alignments": {"aligner": "eflomal", "sentences": {"path": "{language}.txt"}}},
            "alignments.sentences.path is {language}.txt, not None or ",
        ),
        (
            {"bags": AS_THEY_STAND | {"unique_words": [50, 100_000]}},
            "bags.fewest_unique_words is 50, not 0 or 1",
        ),
    ],
)
def test_what_differs_from_speeches_is_named(changes, expected):
    [clause] = found(**changes)["opca_europarl"]
    assert clause.startswith(expected)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"stop_words": ""}, "bags.stop_words is not given"),
        ({"vocabulary": "text"}, "bags.vocabulary is text, not training or training_df"),
        ({"case": "keep"}, "bags.case is keep, not lower"),
        ({"stemmer": "none"}, "bags.stemmer is none, not snowball"),
    ],
)
def test_what_differs_from_sentences_of_hindencorp_is_named(changes, expected):
    bags = config("xcnn.yaml")["bags"] | changes
    assert unlike(config("xcnn.yaml", bags=bags), "documents")["xcnn_sentences"] == [expected]


@pytest.mark.parametrize("task", ["documents", "fire"])
def test_machine_translations_into_hindi_are_not_stemmed_as_english(task):
    bags = config("xcnn_mt.yaml")["bags"] | {"stemmer": "snowball"}
    [protocol] = config("xcnn_mt.yaml")["protocol"][task]
    clauses = unlike(config("xcnn_mt.yaml", bags=bags), task)[protocol]
    assert clauses == ["bags.stemmer is snowball, not none"]


@pytest.mark.parametrize("name", ["reuters", "reuters_mt"])
def test_queries_of_reuters_are_spanish_not_translations_into_it(name):
    tasks = {"classes": {"module": "classification", "labelled": ["en"]}}
    clauses = unlike(config(f"{name}.yaml", tasks=tasks), "classes")
    assert clauses[f"opca_{name}"] == ["tasks.classes.tested is drawn, not own"]
