"""Concepts of one's own files, before any job."""

import pytest
from cr5.plan.check_files import files

from cr5.plan import check_concepts
from cr5.plan.check import ERROR, OK
from tests.plan.test_check_files import config, documents


def test_a_given_split_is_read(folder):
    (folder / "split.tsv").write_text("concept\tsplit\na\tdev\n")
    given = config(splits={"given": "split.tsv"})
    [found] = [x for x in files(given) if x.said.startswith("splits.given")]
    assert found.level == ERROR and "split.tsv, line 2: the split is 'dev'" in found.said


@pytest.mark.parametrize(
    ("patterns", "said"),
    [
        ({"test": ["a*"], "validation": ["b"]}, ""),
        ({"test": ["a*"], "validation": ["*2"]}, "'a2' matches patterns of both test and valid"),
        ({"test": ["a*"], "validation": ["c*"]}, "none of the 3 concepts, such as 'a1', is for v"),
    ],
)
def test_patterns_of_a_split_are_compared_with_the_concepts(folder, patterns, said):
    (folder / "en.jsonl").write_text(documents("a1", "a2"))
    (folder / "da.jsonl").write_text(documents("b"))
    [found] = [x for x in files(config(splits={"given": patterns})) if "splits.given" in x.said]
    assert found.level == (ERROR if said else OK) and said in found.said


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("a_1", ""),
        ("A-1", "such as 'A-1' in 'en', 'a_1' in 'da': documents on the same thing must have the"),
        ("A-1", "nearly the same: 'a_1' and 'A-1'; only equal ones are one concept."),
    ],
)
def test_languages_that_share_no_concept(folder, monkeypatch, english, said):
    (folder / "en.jsonl").write_text(documents(english))
    (folder / "da.jsonl").write_text(documents("a_1", "b"))
    [found] = [x for x in files(config()) if x.said.startswith("corpus.concept")]
    assert found.level == (ERROR if said else OK) and said in found.said
    without = {"splits": {"max_share": {"test": 0, "validation": 0, "candidates": 0}}}
    tasks = {"tasks": {"lexicon_induction": {}}}
    assert not [x for x in files(config(**without, **tasks)) if "corpus.concept" in x.said]
    monkeypatch.setattr(check_concepts, "ALL", 2)  # more are not read
    assert not [x for x in files(config()) if "corpus.concept" in x.said]
