import pytest

from cr5.base.errors import UserError
from cr5.corpora.fetch.pins import Pin, read_pins, write_pins

TEXT = Pin(
    "dawiki",
    *("content", "2026-10-01", "text", "dawiki-2026-10-01-p1p9.xml.bz2", "https://example.org/a"),
    *(123, "sha256", "ab" * 32),
)
TABLE = Pin("dawiki", "legacy", "2026-10-20", "page_props", "dawiki.sql.gz", "/local folder/b")


def test_a_table_comes_back_as_it_was_written(tmp_path):
    write_pins(tmp_path / "pins.tsv", [TEXT, TABLE])
    assert read_pins(tmp_path / "pins.tsv") == [TEXT, TABLE]


def test_the_table_is_tab_separated_with_names_on_top(tmp_path):
    write_pins(tmp_path / "pins.tsv", [TABLE])
    assert (tmp_path / "pins.tsv").read_bytes() == (
        b"wiki\tproduct\tdate\trole\tname\turl\tbytes\tchecksum_kind\tchecksum\n"
        b"dawiki\tlegacy\t2026-10-20\tpage_props\tdawiki.sql.gz\t/local folder/b\t\t\t\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("wiki\t", "wik\t", "line 1: expected the columns wiki, product"),
        ("\t123\t", "\t12x\t", "line 2: expected a number of bytes or nothing, got '12x'"),
        ("sha256", "sha1", "line 2: expected sha256, sha1 or md5"),
        ("abab", "ABAB", "expected lower-case hexadecimal digits, got"),
        ("\ttext\t", "\tpages\t", "expected role text or page_props, got 'pages'"),
        ("dawiki-2026", "../dawiki-2026", "expected a file's name"),
        ("\tcontent\t", "\t", "expected 9 values, separated by tabs, got 8"),
    ],
)
def test_a_damaged_table(tmp_path, old, new, message):
    path = tmp_path / "pins.tsv"
    write_pins(path, [TEXT])
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(UserError, match=message) as error:
        read_pins(path)
    assert str(path) in str(error.value)
    assert "leave out `corpus.pins`" in str(error.value)


def test_a_file_that_is_pinned_twice(tmp_path):
    write_pins(tmp_path / "pins.tsv", [TEXT, TEXT])
    with pytest.raises(UserError, match=r"line 3: .* is there already"):
        read_pins(tmp_path / "pins.tsv")


def test_no_table(tmp_path):
    with pytest.raises(UserError, match="cannot read the table of pinned files"):
        read_pins(tmp_path / "pins.tsv")
