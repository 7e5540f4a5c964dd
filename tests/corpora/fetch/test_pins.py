from cr5.corpora.fetch.pins import Pin, read_pins, write_pins

TEXT = Pin(
    "dawiki",
    *("2026-10-01", "text", "dawiki-2026-10-01-p1p9.xml.bz2", "https://example.org/a"),
    *(123, "sha256", "ab" * 32),
)
TABLE = Pin("dawiki", "2026-10-20", "page_props", "dawiki.sql.gz", "/local folder/b")


def test_a_table_comes_back_as_it_was_written(tmp_path):
    write_pins(tmp_path / "pins.tsv", [TEXT, TABLE])
    assert read_pins(tmp_path / "pins.tsv") == [TEXT, TABLE]


def test_the_table_is_tab_separated_with_names_on_top(tmp_path):
    write_pins(tmp_path / "pins.tsv", [TABLE])
    assert (tmp_path / "pins.tsv").read_bytes() == (
        b"wiki\tdate\trole\tname\turl\tbytes\tchecksum_kind\tchecksum\n"
        b"dawiki\t2026-10-20\tpage_props\tdawiki.sql.gz\t/local folder/b\t\t\t\n"
    )
