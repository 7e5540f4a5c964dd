import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cr5.base.errors import UserError
from cr5.corpora.wikimedia.pages import Page
from cr5.corpora.wikimedia.parquet import parquet_pages
from cr5.corpora.wikimedia.settings import Settings
from cr5.corpora.wikimedia.sources import pins


def read(path, **columns):
    pq.write_table(pa.table(columns), path)
    with path.open("rb") as stream:
        return list(parquet_pages(stream, str(path)))


def test_columns_of_finewiki(tmp_path):
    found = read(
        tmp_path / "x",
        text=["Køge er en by.", "a\0b"],
        id=["dawiki/7", "dawiki/9"],
        page_id=[7, 9],
        title=["Køge", "Ny"],
        wikidata_id=["Q21179", None],
    )
    assert found == [
        Page(7, "Køge", 0, False, "wikitext", "Køge er en by.", "Q21179"),
        Page(9, "Ny", 0, False, "wikitext", "a\ufffdb", None),
    ]


def test_columns_of_wikimedia_wikipedia(tmp_path):
    found = read(tmp_path / "x", id=["7"], url=["https://..."], title=["Køge"], text=["by"])
    assert found == [Page(7, "Køge", 0, False, "wikitext", "by", None)]


@pytest.mark.parametrize(
    "columns",
    [
        {"page_id": ["x"]},
        {"page_id": [-1]},
        {"words": [1]},
        {"page_id": [1], "text": [None]},
    ],
)
def test_rows_that_are_no_pages(tmp_path, columns):
    with pytest.raises(UserError, match="x, row 1"):
        read(tmp_path / "x", **{"title": ["a"]} | columns)


def test_a_file_cut_off(tmp_path):
    read(tmp_path / "x", id=["7"], title=["Køge"], text=["by"])
    (tmp_path / "x").write_bytes((tmp_path / "x").read_bytes()[:-9])
    with (tmp_path / "x").open("rb") as stream, pytest.raises(UserError, match="not a whole"):
        list(parquet_pages(stream, "x"))


def test_files_of_a_wiki_and_its_page_props(mirror):
    texts = str(mirror / "parquet/{wiki}/*.parquet")
    *text, table = pins("eswiki", Settings(base=str(mirror), product="parquet", texts=texts))
    assert [pin.name for pin in text] == [f"000_0000{n}.parquet" for n in range(3)]
    for pin in text:
        assert pin.url == str(mirror / "parquet/eswiki" / pin.name)
        assert (pin.role, pin.product, pin.wiki) == ("text", "parquet", "eswiki")
    assert (table.role, table.product) == ("page_props", "legacy")


@pytest.mark.parametrize("texts", ["", "parquet/eswiki/*", "parquet/{wiki}/*.csv"])
def test_no_files(mirror, texts):
    texts = texts and str(mirror / texts)
    with pytest.raises(UserError, match=r"corpus.texts: "):
        pins("eswiki", Settings(base=str(mirror), product="parquet", texts=texts))
