"""Queries and candidates: who may be one, how many there are, that chance alone chooses."""

import itertools

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
    frame, n_seeds = pd.DataFrame({"concept": [f"c{i:02}" for i in range(40)], "n_unique": 9}), 60
    sizes = Sizes(max_share={"test": 0.25, "validation": 0.25, "candidates": 0})
    counts = pd.DataFrame(0, index=frame["concept"], columns=ROLES)
    for seed in range(n_seeds):
        drawn = draw({"da": frame, "en": frame}, [("da", "en")], sizes, seed)
        for role in ROLES:
            counts.loc[drawn.queries_of(("da", "en"), role), role] += 1
    # a quarter of 40, and of the 30 that are left
    for role, n in (("test", 10), ("validation", 7)):
        expected = n_seeds * n / 40
        chi2 = ((counts[role] - expected) ** 2 / expected).sum() / (1 - n / 40)
        # 39 degrees of freedom: between the quantiles 0.0005 and 0.9995
        assert counts[role].sum() == n_seeds * n
        assert 16 < chi2 < 74


def test_no_order_of_languages_pairs_or_documents_changes_a_byte(source, pairs, tmp_path, sizes):
    expected = saved(draw(source, pairs, sizes(), 7), tmp_path / "draw")
    assert len(expected) == len(TABLES) + 2
    for number, order in enumerate(itertools.permutations(source)):
        turned = {x: source[x].iloc[:: (-1) ** number] for x in order}
        searched = list(itertools.combinations(order, 2))[number % 3 :] + pairs
        again = draw(turned, searched, sizes(), 7)  # some the other way round, some twice
        assert saved(again, tmp_path / str(number) / "draw") == expected
    assert not draw(source, pairs, sizes(), 8).queries.equals(
        draw(source, pairs, sizes(), 7).queries
    )


def test_only_pairs_that_are_searched_cost_queries_and_no_other_has_any(source, sizes):
    drawn = draw(source, [("vi", "da")], sizes(), 7)
    assert drawn.pairs[["first", "second"]].to_numpy().tolist() == [["da", "vi"]]
    assert len(drawn.held_out()) == 30
    assert drawn.queries_of(("en", "da"), "test").empty


@READINGS
def test_distractors_are_a_random_sample_of_a_language(source, pairs, sizes, reading):
    """Concepts that no other language has are as many among them as by chance, of 45 draws."""
    n_languages = pd.concat([frame["concept"] for frame in source.values()]).value_counts()
    seen, differences, n_seeds = {x: set() for x in source}, {x: [] for x in source}, 45
    for seed in range(n_seeds):
        drawn = draw(source, pairs, sizes(candidates_reading=reading), seed)
        for x, frame in source.items():
            others = frame["concept"][~frame["concept"].isin(drawn.held_out())]
            distractors = drawn.candidates_of(x).difference(drawn.held_out())
            assert 50 <= len(distractors) < len(others) / 2
            is_alone = [(n_languages[each] == 1).mean() for each in (distractors, others)]
            differences[x].append(is_alone[0] - is_alone[1])
            seen[x] |= set(distractors)
    for x, frame in source.items():
        assert abs(np.mean(differences[x])) < 4 * np.std(differences[x]) / np.sqrt(n_seeds)
        assert len(seen[x]) > 0.95 * len(frame)
    # one order serves all languages: what trains is lost to few concepts, not to many
    both = drawn.candidates_of("da").intersection(drawn.candidates_of("en"))
    assert len(both.difference(drawn.held_out())) > 10


YEARS = {"test": ("0\u200d0-*", "03-0[1-9]-*"), "validation": ("01-*",)}
SPEECHES = {
    "en": "99-12 00-01 00-02 01-01 01-02 02-01 03-09-1 03-10-1",
    "es": "99-12 00-01 00-03 01-01 02-01 03-09-1 03-10-1",
}
PARTS = {"00-\u200e01\ufeff": "test", "00-02": "test", "00-03": "test", "03-09-1": "test"}
PARTS |= {"01-01": "validation", "01-02": "validation", "99-12": "train", "gone": "test"}


@pytest.mark.parametrize("name", ["", "split.tsv", "split.jsonl"])
def test_a_split_of_years_as_given_by_patterns_and_by_files(tmp_path, name):
    given = str(tmp_path / name) if name else YEARS
    form = '{{"concept": "{}", "split": "{}"}}\n' if name.endswith("jsonl") else "{}\t{}\n"
    rows = [] if name.endswith("jsonl") else [("concept", "split")]
    if name:
        (tmp_path / name).write_text("".join(form.format(*x) for x in [*rows, *PARTS.items()]))
    speeches = {x: pd.DataFrame({"concept": y.split(), "n_unique": 9}) for x, y in SPEECHES.items()}
    sizes = Sizes(test=1, candidates=1, given=given)  # of a draw, which this is not
    for seed in (0, 1):
        drawn = draw(speeches, [("es", "en")], sizes, seed)
        assert list(drawn.queries_of(("en", "es"), "test")) == ["00-01", "03-09-1"]
        assert list(drawn.queries_of(("en", "es"), "validation")) == ["01-01"]
        # what another language lacks is no query, but is found among the others
        assert list(drawn.candidates_of("en")) == ["00-01", "00-02", "03-09-1"]
        assert list(drawn.candidates_of("es")) == ["00-01", "00-03", "03-09-1"]
    speeches["en"].loc[1, "n_unique"] = 99
    long = draw(speeches, [("en", "es")], Sizes(given=given, query_unique_words=(1, 50)), 0)
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
    (tmp_path / "s.csv").write_text(
        "concept,split\n" + "".join(map("{},{}\n".format, LISTED, LISTED.values()))
    )
    given = str(tmp_path / "s.csv") if as_file else OF_PARTS
    of = {x: pd.DataFrame({"concept": ["Q1", "Q2", "Q3"], "n_unique": 9}) for x in ("da", "en")}
    drawn = draw(of, [("da", "en")], Sizes(given=given), 0, dropped={"Q8", "Q7"})
    unmatched = [] if as_file else ["splits.given: 'Z*' for test matches no concept"]
    assert list(drawn.told) == [ABSENT, SHORT, *unmatched]
    drawn.save(tmp_path / "draw")
    assert list(Draw.load(tmp_path / "draw").told) == list(drawn.told)
    assert drawn.held_out().tolist() == ["Q1", "Q2"]


@pytest.mark.parametrize("as_file", [True, False])
def test_a_concept_that_is_there_in_another_case_does_not_train(tmp_path, as_file):
    (tmp_path / "s.csv").write_text("concept,split\nQ64,train\nq90,validation\nQ220,test\n")
    parts = {"test": ("Q220",), "validation": ("q90", "Q1")}
    given = str(tmp_path / "s.csv") if as_file else parts
    with pytest.raises(UserError, match=r"1 of 3 .* 'q90', did you mean 'Q90'\?") as refused:
        GivenSplit.of(pd.Index(["Q64", "Q90", "Q220", "Q1"]), given)
    assert str(refused.value).startswith(given if as_file else "splits.given: ")


def test_a_concept_of_both_parts_is_named():
    with pytest.raises(UserError, match="'ab' matches patterns of both test and validation"):
        GivenSplit.of(pd.Index(["ab"]), {"test": ("a*",), "validation": ("*b",)})


@pytest.mark.parametrize("of_brackets", ["Foo [b]", "Wh?", "C*"])
def test_a_concept_that_is_there_is_no_pattern(of_brackets):
    """`Foo [b]` would match `Foo b`, which trains; the pattern `D[12]` is one still."""
    concepts = pd.Index(["Foo b", "Foo [b]", "Why", "Wh?", "Cat", "C*", "D1", "D2"])
    found = GivenSplit.of(concepts, {"test": (of_brackets,), "validation": ("D[12]",)})
    expected = dict.fromkeys(concepts, "train") | dict.fromkeys(["D1", "D2"], "validation")
    assert found.roles.to_dict() == expected | {of_brackets: "test"}
    assert not found.told
    parts = {"test": (of_brackets, "Foo b"), "validation": ("D1",)}
    found = GivenSplit.of(concepts.drop(of_brackets), parts, dropped={of_brackets})
    assert found.roles["Why"] == found.roles["Cat"] == "train"
    assert "bags.unique_words leaves out" in found.told[0]
