"""Queries and candidates: who may be one, how many there are, that chance alone chooses."""

import itertools

import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.splits.draw import ROLES, TABLES, Draw, draw
from cr5.splits.given import GivenSplit
from cr5.splits.options import Sizes
from tests.splits.conftest import table_of

READINGS = pytest.mark.parametrize("reading", ["paper", "code"])


def saved(drawn, folder):
    """The files of a draw: their names and contents."""
    drawn.save(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_queries_are_a_uniform_sample_of_the_intersection():
    n_seeds = 60
    concepts = [f"c{number:02}" for number in range(40)]
    frame = table_of(concepts)
    sizes = Sizes(max_share={"test": 0.25, "validation": 0.25, "candidates": 0})
    counts = pd.DataFrame(0, index=frame["concept"], columns=ROLES)
    for seed in range(n_seeds):
        drawn = draw({"da": frame, "en": frame}, [("da", "en")], sizes, seed)
        for role in ROLES:
            queries = drawn.queries_of(("da", "en"), role)
            counts.loc[queries, role] += 1
    # a quarter of 40, and of the 30 that are left
    for role, n_queries in (("test", 10), ("validation", 7)):
        expected = n_seeds * n_queries / 40
        squares = (counts[role] - expected) ** 2
        share_not_drawn = 1 - n_queries / 40
        chi2 = (squares / expected).sum() / share_not_drawn
        # 39 degrees of freedom: between the quantiles 0.0005 and 0.9995
        assert counts[role].sum() == n_seeds * n_queries
        assert 16 < chi2 < 74


def test_without_limits_even_a_document_without_words_may_be_a_query():
    frame = table_of(["c0", "c1"], n_unique=0)
    sizes = Sizes(max_share={"test": 1, "validation": 0, "candidates": 0})
    drawn = draw({"da": frame, "en": frame}, [("da", "en")], sizes, 0)
    assert drawn.queries_of(("da", "en"), "test").tolist() == ["c0", "c1"]


def test_no_order_of_languages_pairs_or_documents_changes_a_byte(source, pairs, tmp_path, sizes):
    drawn = draw(source, pairs, sizes(), 7)
    expected = saved(drawn, tmp_path / "draw")
    assert len(expected) == len(TABLES) + 2
    for number, order in enumerate(itertools.permutations(source)):
        step = (-1) ** number
        turned = {language: source[language].iloc[::step] for language in order}
        pairs_in_order = list(itertools.combinations(order, 2))
        searched = pairs_in_order[number % 3 :] + pairs  # some the other way round, some twice
        again = draw(turned, searched, sizes(), 7)
        folder = tmp_path / str(number) / "draw"
        assert saved(again, folder) == expected
    of_other_seed = draw(source, pairs, sizes(), 8)
    assert not of_other_seed.queries.equals(drawn.queries)


def test_only_pairs_that_are_searched_cost_queries_and_no_other_has_any(source, sizes):
    drawn = draw(source, [("vi", "da")], sizes(), 7)
    assert drawn.pairs[["first", "second"]].to_numpy().tolist() == [["da", "vi"]]
    assert len(drawn.held_out()) == 30
    assert drawn.queries_of(("en", "da"), "test").empty


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        # of ten concepts one is tested; of the other nine a twentieth is none
        ({"test": 0.1, "validation": 0.05}, ["da and en share 9 concepts", "no validation query"]),
        ({"test": 0.1, "validation": 0.0}, []),  # none is wanted
        ({"test": 0.1, "validation": 0.12}, []),  # one is enough
    ],
)
def test_pairs_of_which_no_query_can_be_drawn_are_told(shares, expected, caplog):
    frame = table_of("abcdefghij")
    draw({"da": frame, "en": frame}, [("en", "da")], Sizes(max_share=shares), 0)
    told = "".join(caplog.messages)
    assert bool(told) == bool(expected)
    for sentence in expected:
        assert sentence in told


def test_pairs_of_which_a_given_split_has_no_query_are_told(caplog):
    documents = {"da": table_of("abt"), "en": table_of("at")}
    split = {"test": ("a",), "validation": ("b",)}
    draw(documents, [("da", "en")], Sizes(given=split), 0)
    [warning] = caplog.messages
    assert warning.startswith("da and en share 0 concepts that qualify: no validation query")


@READINGS
def test_distractors_are_a_random_sample_of_a_language(source, pairs, sizes, reading):
    """Concepts that no other language has are as many among them as by chance, of 45 draws."""
    columns = [frame["concept"] for frame in source.values()]
    is_alone = pd.concat(columns).value_counts() == 1
    all_distractors = {language: set() for language in source}
    differences = {language: [] for language in source}
    n_seeds = 45
    for seed in range(n_seeds):
        drawn = draw(source, pairs, sizes(candidates_reading=reading), seed)
        held_out = drawn.held_out()
        for language, frame in source.items():
            may_be_drawn = pd.Index(frame["concept"]).difference(held_out)
            distractors = drawn.candidates_of(language).difference(held_out)
            assert 50 <= len(distractors) < len(may_be_drawn) / 2
            share_alone = is_alone[distractors].mean()
            expected = is_alone[may_be_drawn].mean()
            differences[language].append(share_alone - expected)
            all_distractors[language].update(distractors)
    for language, frame in source.items():
        mean = np.mean(differences[language])
        standard_error = np.std(differences[language]) / np.sqrt(n_seeds)
        assert abs(mean) < 4 * standard_error
        assert len(all_distractors[language]) > 0.95 * len(frame)
    # one order serves all languages: what trains is lost to few concepts, not to many
    danish = drawn.candidates_of("da")
    english = drawn.candidates_of("en")
    in_both = danish.intersection(english)
    assert len(in_both.difference(held_out)) > 10


YEARS = {"test": ("0\u200d0-*", "03-0[1-9]-*"), "validation": ("01-*",)}
EN_ES = ("en", "es")
SPEECHES = {
    "en": "99-12 00-01 00-02 01-01 01-02 02-01 03-09-1 03-10-1",
    "es": "99-12 00-01 00-03 01-01 02-01 03-09-1 03-10-1",
}
PARTS = {"00-\u200e01\ufeff": "test", "00-02": "test", "00-03": "test", "03-09-1": "test"}
PARTS |= {"01-01": "validation", "01-02": "validation", "99-12": "train", "gone": "test"}


def speeches():
    """Documents of Parliament, whose names are dates."""
    documents = {}
    for language, concepts in SPEECHES.items():
        documents[language] = table_of(concepts.split())
    return documents


def written_split(folder, name):
    """The path of a file with the parts; or patterns, if it has no name."""
    if not name:
        return YEARS
    table = pd.Series(PARTS, name="split").rename_axis("concept").reset_index()
    path = folder / name
    if name.endswith("jsonl"):
        table.to_json(path, orient="records", lines=True)
    else:
        table.to_csv(path, sep="\t", index=False)
    return str(path)


@pytest.mark.parametrize("name", ["", "split.tsv", "split.jsonl"])
def test_a_split_of_years_as_given_by_patterns_and_by_files(tmp_path, name):
    split = written_split(tmp_path, name)
    sizes = Sizes(test=1, candidates=1, given=split)  # of a draw, which this is not
    for seed in (0, 1):
        drawn = draw(speeches(), [("es", "en")], sizes, seed)
        assert list(drawn.queries_of(EN_ES, "test")) == ["00-01", "03-09-1"]
        assert list(drawn.queries_of(EN_ES, "validation")) == ["01-01"]
        # what another language lacks is no query, but is found among the others
        assert list(drawn.candidates_of("en")) == ["00-01", "00-02", "03-09-1"]
        assert list(drawn.candidates_of("es")) == ["00-01", "00-03", "03-09-1"]


@pytest.mark.parametrize("name", ["", "split.tsv", "split.jsonl"])
def test_a_long_document_to_test_is_no_query_but_a_candidate(tmp_path, name):
    documents = speeches()
    documents["en"].loc[1, "n_unique"] = 99
    sizes = Sizes(given=written_split(tmp_path, name), query_unique_words=(1, 50))
    drawn = draw(documents, [EN_ES], sizes, 0)
    assert list(drawn.queries_of(EN_ES, "test")) == ["03-09-1"]
    assert "00-01" in drawn.candidates_of("en")


LISTED = """concept,split
Q1,test
Q2,validation
Q3,train
Q8,test
Q9,test
"""
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
        path.write_text(LISTED)
        split = str(path)
        expected = [ABSENT, SHORT]
    frame = table_of(["Q1", "Q2", "Q3"])
    documents = {"da": frame, "en": frame}
    drawn = draw(documents, [("da", "en")], Sizes(given=split), 0, dropped={"Q8", "Q7"})
    assert list(drawn.told) == expected
    drawn.save(tmp_path / "draw")
    loaded = Draw.load(tmp_path / "draw")
    assert list(loaded.told) == expected
    assert drawn.held_out().tolist() == ["Q1", "Q2"]


@pytest.mark.parametrize("as_file", [True, False])
def test_a_concept_that_is_there_in_another_case_does_not_train(tmp_path, as_file):
    concepts = pd.Index(["Q64", "Q90", "Q220", "Q1"])
    split = {"test": ("Q220",), "validation": ("q90", "Q1")}
    place = "splits.given: "
    if as_file:
        path = tmp_path / "s.csv"
        path.write_text("concept,split\nQ64,train\nq90,validation\nQ220,test\n")
        split = str(path)
        place = split
    with pytest.raises(UserError, match=r"1 of 3 .* 'q90', did you mean 'Q90'\?") as refused:
        GivenSplit.of(concepts, split)
    assert str(refused.value).startswith(place)


def test_a_concept_of_both_parts_is_named():
    with pytest.raises(UserError, match="'ab' matches patterns of both test and validation"):
        GivenSplit.of(pd.Index(["ab"]), {"test": ("a*",), "validation": ("*b",)})


@pytest.mark.parametrize("of_brackets", ["Foo [b]", "Wh?", "C*"])
def test_a_concept_that_is_there_is_no_pattern(of_brackets):
    """`Foo [b]` would match `Foo b`, which trains; the pattern `D[12]` is one still."""
    concepts = pd.Index(["Foo b", "Foo [b]", "Why", "Wh?", "Cat", "C*", "D1", "D2"])
    split = GivenSplit.of(concepts, {"test": (of_brackets,), "validation": ("D[12]",)})
    expected = dict.fromkeys(concepts, "train")
    expected |= {of_brackets: "test", "D1": "validation", "D2": "validation"}
    assert split.roles.to_dict() == expected
    assert not split.told


@pytest.mark.parametrize("of_brackets", ["Foo [b]", "Wh?", "C*"])
def test_a_concept_whose_documents_are_left_out_is_no_pattern(of_brackets):
    concepts = pd.Index(["Foo b", "Why", "Cat", "D1"])
    parts = {"test": (of_brackets, "Foo b"), "validation": ("D1",)}
    split = GivenSplit.of(concepts, parts, dropped={of_brackets})
    expected = {"Foo b": "test", "Why": "train", "Cat": "train", "D1": "validation"}
    assert split.roles.to_dict() == expected
    assert "bags.unique_words leaves out" in split.told[0]
