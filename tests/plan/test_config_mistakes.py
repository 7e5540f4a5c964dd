"""Mistakes of configurations: each names its key, what was expected, and all are told at once."""

import pytest

from cr5.base.errors import UserError
from cr5.plan import config
from tests.plan.test_config import MINIMAL, WIKIPEDIA

QUERIES = {"documents": "d.{language}", "queries": "q.{language}", "qrels": "qrels"}
AD_HOC = {"tasks": {"mine": {"module": "ad_hoc", **QUERIES}}}
LABELLED = {"tasks": {"classification": {"path": "{language}.jsonl"}}}


def mistake(**changes):
    with pytest.raises(UserError) as caught:
        config.validated({**MINIMAL, **changes})
    return str(caught.value)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"langauges": ["en"]}, "langauges: unknown key; did you mean 'languages'?"),
        ({"bags": {"min_docs": 3}}, "bags.min_docs: unknown key; did you mean 'min_documents'?"),
        ({"splits": {"test": "many"}}, "splits.test: expected an integer, found 'many'"),
        ({"splits": {"test": "10"}}, "found '10'; quoted, or given by --config"),
        ({"splits": {"test": 2.5}}, "splits.test: expected an integer, found 2.5"),
        ({"splits": {"redraw": "x"}}, "splits.redraw: expected true or false, found 'x'"),
        ({"splits": {"max_share": {"tset": 0.1}}}, "splits.max_share.tset: unknown key; did you"),
        ({"splits": {"max_share": {"test": 1.5}}}, "splits.max_share.test: expected 1 or less"),
        ({"splits": {"query_unique_words": [1]}}, "query_unique_words: expected at least 2 entri"),
        ({"bags": 3}, "bags: expected a mapping, key: value, found 3"),
        ({"seed": True}, "seed: expected an integer, found True"),
        ({"seed": 2**32}, "seed: expected 4294967295 or less, found 4294967296"),
        ({"languages": "en"}, "languages: expected a list, found 'en'"),
        ({"languages": ["en", "en"]}, "languages: expected each language once"),
        (
            {"splits": {"given": {"test": ["a"]}}},
            "splits.given: expected at least 2 entries, found",
        ),
        (
            {"splits": {"given": {"test": ["ep-*", "b"], "validation": ["a", "ep-01-*"]}}},
            "splits.given: expected patterns of test and of validation that no concept matches "
            "both of, unlike 'ep-*' and 'ep-01-*', found",
        ),
        (
            {"splits": {"given": {"tes": ["a"]}}},
            "splits.given.tes: unknown key; did you mean 'test'",
        ),
        ({"channels": {"documents": "a", "languages": ["xx"]}}, "languages: expected languages of"),
        ({"splits": {"held_out": "book"}}, "splits.held_out: expected 'paper' or 'code'"),
        ({"languages": ["en"]}, "languages: expected at least 2 entries"),
        ({"languages": ["en", "English"]}, "languages[1]: expected an ISO 639-1 code"),
        ({"corpus": {"name": "x", "source": "files"}}, "corpus: missing 'path'"),
        (
            {"corpus": {"name": "x", "source": "matrix", "path": "en"}},
            "corpus.path: expected a path with {language} or {original} in it, found 'en'",
        ),
        ({"corpus": {"name": "x", "source": 3}}, "corpus.source: expected one of debian_desc"),
        (
            {"corpus": {"name": "x", "source": "no.py"}},
            "corpus.source: there is no file no.py. Rel",
        ),
        ({"corpus": "jsonl"}, "corpus: expected a mapping, key: value, found 'jsonl'"),
        (
            {"corpus": {"name": "x"}},
            "corpus: missing 'source': debian_descriptions, debian_documentation, europarl, fi",
        ),
        ({"corpus": {"source": "wikipeda"}}, "corpus: missing 'name'"),
        ({"corpus": {**WIKIPEDIA, "contat": "x"}}, "corpus.contat: unknown key; did you mean 'con"),
        ({"corpus": {**WIKIPEDIA, "timeout": 0}}, "corpus.timeout: expected more than 0, found 0"),
        ({"corpus": {**WIKIPEDIA, "base": 3.5}}, "corpus.base: expected a path, found 3.5"),
        (
            {"corpus": {**WIKIPEDIA, "product": "xml"}},
            "expected 'content', 'cirrus', 'legacy' or 'parquet'",
        ),
        ({"corpus": {"name": "a/b", "source": "libreoffice_help"}}, "corpus.name: expected"),
        (
            {"corpus": {**MINIMAL["corpus"], "name": 1.5}},
            "corpus.name: expected a name of at most 60 letters, digits, dots and underscores, in ",
        ),
        ({"results": []}, "results: expected a folder written out: without {, }, $, control"),
        ({"results": "~/runs"}, "results: expected a folder written out"),
        ({"results": "runs/{language}"}, "results: expected a folder written out"),
        ({"results": "runs\0"}, "results: expected a folder written out"),
        ({"splits": {"test": "1e6"}}, "YAML takes that for text, write 1000000"),
        ({"corpus": {**MINIMAL["corpus"], "name": 61 * "x"}}, "corpus.name: expected a name of at"),
        (
            {"settings": {"joint": {"tasks": ["wrods"]}}},
            "settings.joint.tasks: wrods: unknown key; known keys: documents",
        ),
        (
            {
                "tasks": {"documents": {}, "lexicon_induction": {}},
                "settings": {"joint": {"tasks": ["lexicon_induction"]}},
            },
            "tasks.documents: no setting has it; name it in settings.joint.tasks, or",
        ),
        (
            {
                "systems": {"cr5": {}, "lexical_overlap": {}},
                "settings": {"joint": {"systems": ["cr5"]}},
            },
            "systems.lexical_overlap: no setting has it; name it in settings.joint.systems, or",
        ),
        ({"bags": {"unique_words": [9, 2]}}, "bags.unique_words: expected [least, most]"),
        (
            {"systems": ["cr5", "best"]},
            "systems: expected a mapping, {cr5: {}, best: {}}, found ['cr5', 'best']",
        ),
        ({"tasks": "documents"}, "tasks: expected a mapping, {documents: {}}, found 'documents'"),
        ({"systems": [3]}, "systems: expected a mapping, key: value, found [3]"),
        ({"systems": {"cr6": {}}}, "systems.cr6: there is no file 'cr6.py'"),
        ({"systems": {"own": {"module": "no/such.py"}}}, "no/such.py'. Relative paths start at /"),
        ({"systems": {"cr5": {"rnak": 3}}}, "systems.cr5.rnak: unknown key; did you mean 'rank'?"),
        ({"corpus": {**WIKIPEDIA, "date": "2026-13-01"}}, "corpus.date: expected latest, YYYY-MM"),
        (
            {"corpus": {**WIKIPEDIA, "exclude_titles": "("}},
            "corpus.exclude_titles: expected a regular expression, found '('",
        ),
        (
            {"corpus": {**MINIMAL["corpus"], "date": "latest"}},
            "corpus.date: a key of the source wikipedia, not of files",
        ),
        ({"systems": {"cr5": {"ridges": 1.0}}}, "systems.cr5.ridges: expected something like ["),
        ({"languages": ["en", False]}, '"no" in quotes'),
        (
            {"evaluation": {"metrics": {"documents": ["foo"]}}},
            "evaluation.metrics.documents[0]: expected one of Success@k, P@k, R@k, RR, AP, nDCG, "
            "Judged@k; any may have a k, as in RR@10, found 'foo'",
        ),
        (
            {"evaluation": {"metrics": {"documents": ["Hits@1"]}}},
            "as in RR@10 (did you mean Success@1?), found 'Hits@1'",
        ),
        (
            {"evaluation": {"metrics": {"docs": ["RR"]}}},
            "evaluation.metrics.docs: unknown key",
        ),
        (
            {"evaluation": {"metrics": {"documents": ["RR", "Judged@5"]}}},
            "evaluation.metrics.documents[1]: expected another metric: only candidates of the task",
        ),
        (
            AD_HOC | {"evaluation": {"metrics": {"mine": ["Judged@10", "Judged@100"]}}},
            "evaluation.metrics.mine[1]: expected Judged@10 or less: of each query the 10 nearest",
        ),
        (
            LABELLED | {"evaluation": {"metrics": {"classification": ["Success@2"]}}},
            "evaluation.metrics.classification[0]: expected Success@1, P@1 or R@1: the task ranks",
        ),
        (
            LABELLED | {"evaluation": {"metrics": {"classification": ["nDCG@1"]}}},
            "classification[0]: expected Success@1, P@1 or R@1: the task ranks no candidate beyond",
        ),
        ({"settings": {"mine": {}}}, "settings.mine: missing 'kind': joint, pairwise, low_re"),
        ({"settings": {"mine": {"kind": "foo"}}}, "settings.mine.kind: expected 'joint', 'pair"),
        ({"settings": {"a-b": {"kind": "joint"}}}, "settings.a-b: expected a name of at most 60"),
        ({"settings": {"pairwise": None}}, "settings.pairwise: missing 'pairs'"),
        ({"vectors": {"path": "x.vec"}}, "vectors.path: expected a path with {language} in it"),
        ({"vectors": {"path": "{language}", "epochs": 1}}, "vectors.epochs: unknown key"),
        ({"vectors": {"most_frequent": 5}}, "vectors.most_frequent: unknown key"),
        ({"bags": {"vocabulary": "vectors"}}, "takes the words of given vectors; say where"),
        ({"dictionary": {"limit": 5}}, "dictionary: missing 'dictionaries'"),
        ({"dictionary": {"dictionaries": "x", "limit": 0}}, "dictionary.limit: expected 1 or more"),
        ({"tasks": {"dictionary": {"module": "documents"}}}, "tasks.dictionary: the name of a se"),
        ({"alignments": {}}, "alignments: missing 'path': of the tables, with {source}"),
        ({"alignments": {"aligner": "giza"}}, "alignments.aligner: expected 'eflomal', found 'giz"),
        (
            {"alignments": {"aligner": "eflomal", "path": "{source}{target}"}},
            "alignments.path: unknown key; known keys: aligner, sentences",
        ),
        (
            {"alignments": {"aligner": "eflomal", "sentences": {"pth": "x"}}},
            "alignments.sentences.pth: unknown key; did you mean 'path'?",
        ),
        ({"tasks": {"alignments": {"module": "documents"}}}, "tasks.alignments: the name of a se"),
        ({"alignments": {"path": "{source}"}}, "expected a path with {source} and {target} in it"),
        ({"tasks": {"base": {}}}, "tasks.base: there is no file 'base.py'; known tasks are ad_h"),
        (
            {"systems": {"best": {"ranks": [3]}}},
            "systems.best.ranks: a key of the systems cr5, cr5_features and cr5_spelling, not of b",
        ),
        ({"tasks": {"documents": {"depth": 3}}}, "tasks.documents.depth: unknown key; known keys"),
        ({"systems": {}}, "systems: expected at least 1 entry"),
    ],
)
def test_mistakes_name_the_key_and_what_was_expected(changes, expected):
    assert expected in mistake(**changes)


def test_a_list_of_wrong_entries_is_not_called_too_short_as_well():
    said = mistake(evaluation={"measures": ["cosin"]})
    assert "evaluation.measures[0]: expected 'cosine'" in said
    assert "at least" not in said


def test_a_number_and_its_text_are_one_name():
    with pytest.raises(UserError, match=r"systems has 1, '1', 'cr5'; keep one"):
        config.validated({**MINIMAL, "systems": {1: {}, "1": {}, "cr5": {}}})


def test_keys_of_an_unknown_source_are_no_further_mistakes():
    said = mistake(corpus={"name": "x", "source": "parquet", "path": "{language}.parquet"})
    assert "wikipedia, found 'parquet'; `files` reads your own, whatever their format" in said
    assert "corpus.path" not in said


def test_all_mistakes_are_listed_at_once():
    message = mistake(
        seed=-1,
        results=[],
        langauges=[],
        corpus={"source": "wikipeda"},
        systems={"cr5": {"rnak": 3, "rank": 2.5}, "a-b": {}, "cr6": 3, "word_by_word": {}},
        settings={"joint": {"systems": ["cr7"], "languages": ["en", "da"]}, "mine": {}, "few": 3},
    )
    places = [line.removeprefix("  - ").split(": ")[0] for line in message.splitlines()[1:-1]]
    assert sorted(places) == sorted(
        [
            *("corpus", "corpus.source", "seed", "results", "langauges"),
            *("systems.cr5.rnak", "systems.cr5.rank", "systems.a-b", "systems.cr6"),
            "systems.word_by_word",
            *(
                "settings.joint.languages",
                "settings.joint.systems",
                "settings.mine",
                "settings.few",
            ),
        ]
    )


def test_of_very_many_mistakes_the_first_are_listed():
    lines = mistake(systems={f"no{i}": {} for i in range(300)}).splitlines()
    assert len(lines) == 1 + 20 + 1 + 1
    assert lines[1].startswith("  - systems.no0: there is no file")
    assert lines[-2] == "  - and 280 more"
