import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.splits.draw import draw
from cr5.splits.drawn import TABLES
from cr5.splits.given import given_roles
from cr5.splits.options import Sizes
from cr5.splits.settings import training

YEARS = {"test": ("00-*", "03-0[1-9]-*"), "validation": ("01-*",)}


def documents(**concepts):
    return {x: pd.DataFrame({"concept": y.split(), "n_unique": 9}) for x, y in concepts.items()}


SPEECHES = documents(
    en="99-12 00-01 00-02 01-01 01-02 02-01 03-09-1 03-10-1",
    es="99-12 00-01 00-03 01-01 02-01 03-09-1 03-10-1",
)


def files_with(tmp_path, text, name="split.tsv"):
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


def same(one, other):
    for table in TABLES:
        pd.testing.assert_frame_equal(getattr(one, table), getattr(other, table))


def test_years_are_divided_as_given():
    sizes = Sizes(test=1, candidates=1, given=YEARS)  # of a draw, which this is not
    drawn = draw(SPEECHES, [("es", "en")], sizes, 0)
    assert list(drawn.queries_of(("en", "es"), "test")) == ["00-01", "03-09-1"]
    assert list(drawn.queries_of(("en", "es"), "validation")) == ["01-01"]
    # what another language lacks is no query, but is found among the others
    assert list(drawn.candidates_of("en")) == ["00-01", "00-02", "03-09-1"]
    assert list(drawn.candidates_of("es")) == ["00-01", "00-03", "03-09-1"]
    names = {x: pd.Index(frame["concept"]) for x, frame in SPEECHES.items()}
    trained = training(names, drawn, sizes, "joint")
    expected = ["02-01", "03-10-1", "99-12"]
    assert trained["concept"].tolist() == [*expected, *expected]
    for seed in (1, 2):
        same(draw(SPEECHES, [("en", "es")], sizes, seed), drawn)


@pytest.mark.parametrize("reading", ["paper", "code"])
def test_no_test_document_trains_even_if_no_pair_asks_for_it(reading):
    found = documents(en="1 01-01 00-01", es="1 01-01 00-01 00-02", fr="1 00-02")
    given = {"test": ("00-*",), "validation": ("01-*",)}
    sizes = Sizes(given=given, candidates_reading=reading)
    drawn = draw(found, [("en", "es")], sizes, 0)  # French only trains
    names = {x: pd.Index(frame["concept"]) for x, frame in found.items()}
    trained = training(names, drawn, sizes, "joint", [("en", "es")])
    assert trained["concept"].tolist() == ["1", "1", "1"]


@pytest.mark.parametrize("name", ["split.tsv", "split.jsonl"])
def test_a_file_gives_the_same(tmp_path, name):
    parts = {"00-01": "test", "00-02": "test", "00-03": "test", "03-09-1": "test"}
    parts |= {"01-01": "validation", "01-02": "validation", "99-12": "train", "gone": "test"}
    text = "concept\tsplit\n" + "".join(f"{x}\t{y}\n" for x, y in parts.items())
    if name.endswith("jsonl"):
        text = "".join(f'{{"concept": "{x}", "split": "{y}"}}\n' for x, y in parts.items())
    given = Sizes(given=files_with(tmp_path, text, name))
    same(*(draw(SPEECHES, [("en", "es")], x, 0) for x in (given, Sizes(given=YEARS))))


def test_queries_may_have_to_be_long():
    longer = {
        x: frame.assign(n_unique=[9, 99, *[9] * (len(frame) - 2)]) for x, frame in SPEECHES.items()
    }
    drawn = draw(longer, [("en", "es")], Sizes(given=YEARS, query_unique_words=(1, 50)), 0)
    assert list(drawn.queries_of(("en", "es"), "test")) == ["03-09-1"]
    assert "00-01" in drawn.candidates_of("en")


def test_other_mistakes_are_named(tmp_path):
    with pytest.raises(UserError, match=r"splits\.given: there is no file .*none\.tsv"):
        given_roles(pd.Index(["a"]), str(tmp_path / "none.tsv"))
    both = {"test": ("a*",), "validation": ("*b",)}
    with pytest.raises(UserError, match="'ab' matches patterns of both test and validation"):
        given_roles(pd.Index(["ab"]), both)
    assert given_roles(pd.Index(["a"]), None) is None
