"""Which files of a wiki there are, on a server and in a folder."""

import bz2
import gzip
import hashlib
import re
import shutil
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.texts.sources import wikipedia
from cr5.texts.sources.wikipedia import Wikipedia
from tests.kit import wikimedia
from tests.kit.server import serving

CONTENT = "other/mediawiki_content_current/eswiki"
STATUS = "eswiki/20261001/dumpstatus.json"
SUMS = f"{CONTENT}/2026-10-01/xml/bzip2/SHA256SUMS"


@pytest.fixture
def folder(tmp_path):
    """A mirror of two small wikis, laid out like dumps.wikimedia.org."""
    wikimedia.make(tmp_path / "dumps", ("es", "zh-yue"), 40)
    return tmp_path / "dumps"


def find(base, language="es", date="latest"):
    return Wikipedia(base=str(base), contact="tests", date=date).published(language)


def test_the_files_of_a_wiki_on_a_server_and_in_a_folder(folder, tmp_path):
    with serving(folder) as server:
        files = find(server.url, "zh-yue")
    assert [file.name for file in files] == [file.name for file in find(folder, "zh-yue")]
    *text, table = files
    assert len(text) == 3
    assert (table.role, table.name) == ("page_props", "zh_yuewiki-20261001-page_props.sql.gz")
    names = [re.search(r"-p(\d+)p\d+\.xml\.bz2$", file.name) for file in text]
    starts = [int(name[1]) for name in names]
    assert starts == sorted(starts)
    # the folder of 2026-11-01 is not finished
    assert {(file.wiki, file.date) for file in files} == {("zh_yuewiki", "2026-10-01")}
    for file in files:
        content = (folder / file.address.removeprefix(f"{server.url}/")).read_bytes()
        kind, digits = file.checksum.split(":")
        assert hashlib.new(kind, content).hexdigest() == digits
    wikipedia.write(tmp_path / "pins", files)
    assert wikipedia.read(tmp_path / "pins") == files
    (tmp_path / "pins").write_text('[{"wiki": 3}]')
    with pytest.raises(UserError, match="pins"):
        wikipedia.read(tmp_path / "pins")


def test_a_date_that_is_asked_for_and_a_mirror_without_checksums_of_the_table(folder):
    older = folder / CONTENT / "2026-09-01/xml/bzip2"
    shutil.copytree(folder / CONTENT / "2026-10-01/xml/bzip2", older)
    sums = older / "SHA256SUMS"
    status = folder / STATUS
    sums.write_text(sums.read_text().replace("10-01", "09-01"))
    status.write_text(re.sub(r'"sha1": "\w+"', '"x": 0', status.read_text()))
    of_date = find(folder, date="20260901")
    assert {file.date for file in of_date} == {"2026-09-01", "2026-10-01"}
    assert {file.date for file in find(folder, date="latest")} == {"2026-10-01"}
    assert of_date[-1].checksum == ""
    with pytest.raises(UserError, match=r"2026-08-01, of the dates .*2026-10-01, 2026-09-01"):
        find(folder, date="2026-08-01")


INCOMPLETE = [  # a file's name and what stands in its place, None for no file
    (SUMS, None),
    (SUMS, "<html>"),
    (STATUS, None),
    (STATUS, "<html>"),
    (STATUS, '{"jobs": {"pagepropstable": {"status": "done", "files": {}}}}'),
    (STATUS, '{"jobs": {"pagepropstable": {"status": "in-progress"}}}'),
]


@pytest.mark.parametrize(("name", "content"), INCOMPLETE)
def test_what_is_incomplete_or_of_another_form(folder, name, content):
    path = folder / name
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(UserError, match="eswiki"):
        find(folder)
    with pytest.raises(UserError, match="nowherewiki"):
        find(folder, "nowhere")


def test_a_folder_that_is_laid_out_otherwise_is_refused_with_the_layout_and_what_is_there(tmp_path):
    (tmp_path / "dawiki-20260101-pages-articles.xml.bz2").touch()
    with pytest.raises(UserError) as refused:
        Wikipedia(base=str(tmp_path)).check_texts(None, "dan")
    for part in (
        f"{tmp_path}/other/mediawiki_content_current/dawiki: nothing complete of latest",
        "YYYY-MM-DD/xml/bzip2/ with SHA256SUMS and dawiki-YYYY-MM-DD-p1p9.xml.bz2",
        f"{tmp_path}/dawiki: nothing complete of latest",
        "YYYYMMDD/ with dumpstatus.json and dawiki-YYYYMMDD-page_props.sql.gz",
        f"In {tmp_path} there is: dawiki-20260101-pages-articles.xml.bz2. Lay it out as",
        "or put dawiki-YYYYMMDD-pages-articles.xml.bz2 and dawiki-YYYYMMDD-page_props.sql.gz into",
    ):
        assert part in str(refused.value)


def test_a_listed_file_that_was_not_copied_is_named(folder):
    source = Wikipedia(base=str(folder))
    source.check_texts(None, "es")
    dump = find(folder)[1].address
    Path(dump).unlink()
    with pytest.raises(UserError, match=rf"^{dump}: listed .*; 1 of 4 files are missing"):
        source.check_texts(None, "es")


@pytest.mark.parametrize("contact", ["", "Łukasz", "a@example.org\nX: y"])
def test_wikimedia_is_asked_by_those_it_can_reach_only(contact):
    with pytest.raises(UserError, match=r"corpus\.contact"):
        Wikipedia(contact=contact).check()
    Wikipedia(contact="me@example.org").check()
    Wikipedia(contact=contact, base="dumps").check()


DAMAGED = [  # what stands in place of a dump, and what the error says
    (lambda content: b"", "not compressed as its name says: it begins with b''"),
    (lambda content: b"<!DOCTYPE html><p>Not found", "not compressed .* begins with b'<!DOCT'"),
    (lambda content: content[: len(content) // 2], "cut off: get the whole file again"),
    (lambda content: content[:10] + bytes(30) + content[40:], "[Ii]nvalid"),
]


@pytest.mark.parametrize(("damaged", "message"), DAMAGED)
@pytest.mark.parametrize("number", [1, -1])
def test_a_dump_that_is_damaged_at_its_beginning_is_named(folder, number, damaged, message):
    """A text, in bzip2, and the table, in gzip."""
    dump = Path(find(folder)[number].address)
    dump.write_bytes(damaged(dump.read_bytes()))
    with pytest.raises(UserError, match=f"^{dump}: .*{message}"):
        Wikipedia(base=str(folder)).check_texts(None, "es")


FLAT = [  # names of files, what is asked for, and what is read of them
    (
        ["dawiki-20260101-pages-articles.xml.bz2", "dawiki-20260101-page_props.sql.gz"],
        {},
        [0, 1],
    ),
    (
        [
            "dawiki-20260101-page_props.sql.gz",
            "dawiki-20260101-pages-articles.xml.bz2",
            "dawiki-20260101-pages-articles-multistream.xml.bz2",
            "dawiki-20260101-pages-articles-multistream-index.txt.bz2",
            "dawiki-20260101-pages-articles1.xml-p1p9.bz2",
            "dawiki-20251201-pages-articles.xml.bz2",
            "dawikiquote-20260201-pages-articles.xml.bz2",
        ],
        {},
        [1, 0],
    ),
    (
        [
            "dawiki-20260101-pages-articles10.xml-p200p300.bz2",
            "dawiki-20260101-pages-articles2.xml-p51p199.bz2",
            "dawiki-20260101-pages-articles1.xml-p1p50.bz2",
            "dawiki-20260101-page_props.sql.gz",
        ],
        {},
        [2, 1, 0, 3],
    ),
    (
        [
            "dawiki-20260101-pages-articles.xml.bz2",
            "dawiki-latest-pages-articles-multistream.xml.bz2",
            "dawiki-20251201-pages-articles.xml.bz2",
            "dawiki-20260101-page_props.sql.gz",
            "dawiki-latest-page_props.sql.gz",
        ],
        {"date": "2025-12-01", "sql_date": "20260101"},
        [2, 3],
    ),
    (
        ["dawiki-latest-pages-articles-multistream.xml.bz2", "dawiki-latest-page_props.sql.gz"],
        {},
        [0, 1],
    ),
]


def write_empty(path):
    """Write a compressed file without content."""
    compressed = bz2.compress(b"") if path.suffix == ".bz2" else gzip.compress(b"")
    path.write_bytes(compressed)


@pytest.mark.parametrize(("names", "asked", "read"), FLAT)
def test_dumps_that_lie_side_by_side(tmp_path, names, asked, read):
    for name in names:
        write_empty(tmp_path / name)
    source = Wikipedia(base=str(tmp_path), **asked)
    source.check_texts(None, "da")
    files = source.published("dan")
    assert [file.address for file in files] == [str(tmp_path / names[number]) for number in read]
    assert [file.role for file in files] == ["text"] * (len(read) - 1) + ["page_props"]
    assert {file.checksum for file in files} == {""}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d|latest", file.date) for file in files)


def test_parts_side_by_side_of_which_one_was_not_copied_and_their_checksums(tmp_path):
    parts = [f"eswiki-20260101-pages-articles{x}.bz2" for x in ("1.xml-p1p50", "3.xml-p90p99")]
    for name in parts + ["eswiki-20260101-page_props.sql.gz"]:
        (tmp_path / name).touch()
    source = Wikipedia(base=str(tmp_path))
    with pytest.raises(UserError, match=rf"{parts[1]}: .* the pages from 51 on"):
        source.check_texts(None, "es")
    (tmp_path / "eswiki-20260101-pages-articles2.xml-p51p89.bz2").touch()
    sums = f"{'a' * 40}  {parts[0]}\n{'b' * 40}  eswiki-20260101-page_props.sql.gz\n"
    (tmp_path / "eswiki-20260101-sha1sums.txt").write_text(sums)
    checksums = [file.checksum for file in source.published("es")]
    assert checksums == [f"sha1:{'a' * 40}", "", "", f"sha1:{'b' * 40}"]
