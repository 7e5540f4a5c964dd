"""Queries and candidates: who may be one, how many there are, that chance alone chooses."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.splits.draw import ROLES, TABLES, Draw, draw
from cr5.splits.given import GivenSplit
from cr5.splits.options import Sizes

READINGS = pytest.mark.parametrize("reading", ["paper", "code"])


def saved(drawn, folder):
    drawn.save(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_queries_are_a_uniform_sample_of_the_intersection():
    n_seeds = 60
    concepts = [f"c{number:02}" for number in range(40)]
    frame = pd.DataFrame({"concept": concepts, "n_unique": 9})
    sizes = Sizes(max_share={"test": 0.25, "validation": 0.25, "candidates": 0})
    counts = pd.DataFrame(0, index=frame["concept"], columns=ROLES)
    for seed in range(n_seeds):
        drawn = draw({"da": frame, "en": frame}, [("da", "en")], sizes, seed)
        for role in ROLES:
            counts.loc[drawn.queries_of(("da", "en"), role), role] += 1
    # a quarter of 40, and of the 30 that are left
    for role, n_queries in (("test", 10), ("validation", 7)):
        expected = n_seeds * n_queries / 40
        chi2 = ((counts[role] - expected) ** 2 / expected).sum() / (1 - n_queries / 40)
        # 39 degrees of freedom: between the quantiles 0.0005 and 0.9995
        assert counts[role].sum() == n_seeds * n_queries
        assert 16 < chi2 < 74


def test_no_order_of_languages_pairs_or_documents_changes_a_byte(source, pairs, tmp_path, sizes):
    expected = saved(draw(source, pairs, sizes(), 7), tmp_path / "draw")
    assert len(expected) == len(TABLES) + 2
    for number, order in enumerate(itertools.permutations(source)):
        step = (-1) ** number
        turned = {language: source[language].iloc[::step] for language in order}
        searched = list(itertools.combinations(order, 2))[number % 3 :] + pairs
        again = draw(turned, searched, sizes(), 7)  # some the other way round, some twice
        assert saved(again, tmp_path / str(number) / "draw") == expected
    of_other_seed = draw(source, pairs, sizes(), 8)
    assert not of_other_seed.queries.equals(draw(source, pairs, sizes(), 7).queries)


def test_only_pairs_that_are_searched_cost_queries_and_no_other_has_any(source, sizes):
    drawn = draw(source, [("vi", "da")], sizes(), 7)
    assert drawn.pairs[["first", "second"]].to_numpy().tolist() == [["da", "vi"]]
    assert len(drawn.held_out()) == 30
    assert drawn.queries_of(("en", "da"), "test").empty


@READINGS
def test_distractors_are_a_random_sample_of_a_language(source, pairs, sizes, reading):
    """Concepts that no other language has are as many among them as by chance, of 45 draws."""
    n_languages = pd.concat([frame["concept"] for frame in source.values()]).value_counts()
    seen = {language: set() for language in source}
    differences = {language: [] for language in source}
    n_seeds = 45
    for seed in range(n_seeds):
        drawn = draw(source, pairs, sizes(candidates_reading=reading), seed)
        held_out = drawn.held_out()
        for language, frame in source.items():
            may_be_drawn = frame["concept"][~frame["concept"].isin(held_out)]
            distractors = drawn.candidates_of(language).difference(held_out)
            assert 50 <= len(distractors) < len(may_be_drawn) / 2
            share_alone = (n_languages[distractors] == 1).mean()
            expected = (n_languages[may_be_drawn] == 1).mean()
            differences[language].append(share_alone - expected)
            seen[language].update(distractors)
    for language, frame in source.items():
        of_language = differences[language]
        assert abs(np.mean(of_language)) < 4 * np.std(of_language) / np.sqrt(n_seeds)
        assert len(seen[language]) > 0.95 * len(frame)
    # one order serves all languages: what trains is lost to few concepts, not to many
    in_both = drawn.candidates_of("da").intersection(drawn.candidates_of("en"))
    assert len(in_both.difference(held_out)) > 10


YEARS = {"test": ("0\u200d0-*", "03-0[1-9]-*"), "validation": ("01-*",)}
SPEECHES = {
    "en": "99-12 00-01 00-02 01-01 01-02 02-01 03-09-1 03-10-1",
    "es": "99-12 00-01 00-03 01-01 02-01 03-09-1 03-10-1",
}
PARTS = {"00-\u200e01\ufeff": "test", "00-02": "test", "00-03": "test", "03-09-1": "test"}
PARTS |= {"01-01": "validation", "01-02": "validation", "99-12": "train", "gone": "test"}


def written_split(folder, name):
    """The path of a file with the parts; or patterns, if it has no name."""
    if not name:
        return YEARS
    lines = ["concept\tsplit"]
    for concept, part in PARTS.items():
        lines.append(f"{concept}\t{part}")
    if name.endswith("jsonl"):
        lines = [json.dumps({"concept": concept, "split": PARTS[concept]}) for concept in PARTS]
    (folder / name).write_text("\n".join(lines) + "\n")
    return str(folder / name)


@pytest.mark.parametrize("name", ["", "split.tsv", "split.jsonl"])
def test_a_split_of_years_as_given_by_patterns_and_by_files(tmp_path, name):
    split = written_split(tmp_path, name)
    speeches = {}
    for language, concepts in SPEECHES.items():
        speeches[language] = pd.DataFrame({"concept": concepts.split(), "n_unique": 9})
    sizes = Sizes(test=1, candidates=1, given=split)  # of a draw, which this is not
    for seed in (0, 1):
        drawn = draw(speeches, [("es", "en")], sizes, seed)
        assert list(drawn.queries_of(("en", "es"), "test")) == ["00-01", "03-09-1"]
        assert list(drawn.queries_of(("en", "es"), "validation")) == ["01-01"]
        # what another language lacks is no query, but is found among the others
        assert list(drawn.candidates_of("en")) == ["00-01", "00-02", "03-09-1"]
        assert list(drawn.candidates_of("es")) == ["00-01", "00-03", "03-09-1"]
    speeches["en"].loc[1, "n_unique"] = 99
    long = draw(speeches, [("en", "es")], Sizes(given=split, query_unique_words=(1, 50)), 0)
    assert list(long.queries_of(("en", "es"), "test")) == ["03-09-1"]
    assert "00-01" in long.candidates_of("en")


LISTED = {"Q1": "test", "Q2": "validation", "Q3": "train", "Q8": "test", "Q9": "test"}
OF_PARTS = {"test": ("Q1", "Q8", "Q9", "Z*"), "validation": ("Q2",)}
ABSENT = "splits.given: 1 of 3 concepts for test, such as 'Q9', are in no language"
SHORT = (
    "splits.given: 1 of 3 concepts for test, such as 'Q8', have documents that bags.unique_words "
    "leaves out"
)


@pytest.mark.parametrize("as_file", [True, False])
def test_concepts_of_a_split_that_are_not_there_are_told(tmp_path, as_file):
    split = OF_PARTS
    expected = [ABSENT, SHORT, "splits.given: 'Z*' for test matches no concept"]
    if as_file:
        path = tmp_path / "s.csv"
        lines = [f"{concept},{part}\n" for concept, part in LISTED.items()]
        path.write_text("concept,split\n" + "".join(lines))
        split = str(path)
        expected = [ABSENT, SHORT]
    frame = pd.DataFrame({"concept": ["Q1", "Q2", "Q3"], "n_unique": 9})
    documents = {"da": frame, "en": frame}
    drawn = draw(documents, [("da", "en")], Sizes(given=split), 0, dropped={"Q8", "Q7"})
    assert list(drawn.told) == expected
    drawn.save(tmp_path / "draw")
    assert list(Draw.load(tmp_path / "draw").told) == list(drawn.told)
    assert drawn.held_out().tolist() == ["Q1", "Q2"]


@pytest.mark.parametrize("as_file", [True, False])
def test_a_concept_that_is_there_in_another_case_does_not_train(tmp_path, as_file):
    (tmp_path / "s.csv").write_text("concept,split\nQ64,train\nq90,validation\nQ220,test\n")
    split = {"test": ("Q220",), "validation": ("q90", "Q1")}
    place = "splits.given: "
    if as_file:
        split = place = str(tmp_path / "s.csv")
    with pytest.raises(UserError, match=r"1 of 3 .* 'q90', did you mean 'Q90'\?") as refused:
        GivenSplit.of(pd.Index(["Q64", "Q90", "Q220", "Q1"]), split)
    assert str(refused.value).startswith(place)


def test_a_concept_of_both_parts_is_named():
    with pytest.raises(UserError, match="'ab' matches patterns of both test and validation"):
        GivenSplit.of(pd.Index(["ab"]), {"test": ("a*",), "validation": ("*b",)})


@pytest.mark.parametrize("of_brackets", ["Foo [b]", "Wh?", "C*"])
def test_a_concept_that_is_there_is_no_pattern(of_brackets):
    """`Foo [b]` would match `Foo b`, which trains; the pattern `D[12]` is one still."""
    concepts = pd.Index(["Foo b", "Foo [b]", "Why", "Wh?", "Cat", "C*", "D1", "D2"])
    split = GivenSplit.of(concepts, {"test": (of_brackets,), "validation": ("D[12]",)})
    expected = dict.fromkeys(concepts, "train") | dict.fromkeys(["D1", "D2"], "validation")
    assert split.roles.to_dict() == expected | {of_brackets: "test"}
    assert not split.told
    parts = {"test": (of_brackets, "Foo b"), "validation": ("D1",)}
    of_dropped = GivenSplit.of(concepts.drop(of_brackets), parts, dropped={of_brackets})
    assert of_dropped.roles["Why"] == of_dropped.roles["Cat"] == "train"
    assert "bags.unique_words leaves out" in of_dropped.told[0]
