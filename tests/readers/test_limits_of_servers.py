"""Answers of servers that are none, have no end, or would be read for ever."""

import json
from types import SimpleNamespace

import pytest

from benchmarks.readers.servers import FOLDER, PIN, STATUS, TABLE
from cr5.base import limits
from cr5.base.errors import UserError
from cr5.corpora import eflomal
from cr5.corpora.fetch import download, pins, remote
from cr5.corpora.fetch.partial import Partial, WrongError, _extent
from cr5.corpora.fetch.progress import Progress
from cr5.corpora.wikimedia import sources
from cr5.corpora.wikimedia.settings import Settings


@pytest.mark.parametrize(
    "piece", ['href="', '<a href="', "<a ", '<a href="x">', "<a href='x' ", '<a href="x">y</a', "<"]
)
def test_listings_that_would_be_tried_for_ever(piece):
    assert remote.parse_listing('Index of <a href="../"> <a ' + piece * 200_000, "x") == {}


def test_sizes_in_a_listing_that_are_none():
    for size, expected in (("9" * 5000, None), ("-5", None), ("٣", None), ("12", 12)):
        page = f'Index of\n<a href="b">b</a>  date {size}\n'
        assert remote.parse_listing(page, "x") == {"b": expected}


def test_an_answer_without_end(monkeypatch):
    monkeypatch.setattr(limits, "ANSWER", 1000)
    endless = SimpleNamespace(iter_content=lambda size: iter(lambda: b"a" * 100, b""))
    with pytest.raises(UserError, match="https://x/: more than 1000 bytes; expected a listing"):
        remote._content(endless, "https://x/")


def test_a_file_without_end(tmp_path):
    """Its size is pinned, but the server goes on: what is too much is soon noticed."""
    endless = SimpleNamespace(read1=lambda size, decode_content: b"a" * 100)
    with Partial(tmp_path / "a", PIN) as part:
        download._append(SimpleNamespace(raw=endless), part, Progress("a"))
        with pytest.raises(WrongError, match="expected 10 bytes, got 100"):
            _ = part.is_complete


@pytest.mark.parametrize(
    "value",
    ["", "soon", "Mon, 01 Jan 0001 00:00:00 -0000", "Mon, 01 Jan 0001 00:00:00 +2359", "-5", "²"],
)
def test_retry_after_something_else(value):
    answer = SimpleNamespace(headers={"Retry-After": value}, status_code=503, reason="", url="x")
    with pytest.raises(remote.LaterError) as error:
        remote._check(answer)
    assert error.value.seconds == 0


@pytest.mark.parametrize("value", ["bytes 5-9/٣", "bytes 5-9/" + "9" * 5000, "bytes -5-9/10"])
def test_ranges_that_are_none(value):
    answer = SimpleNamespace(status_code=206, headers={"Content-Range": value})
    with pytest.raises(remote.LaterError, match="HTTP 206 with Content-Range"):
        _extent(answer)


@pytest.mark.parametrize("value", ["9" * 5000, "-1", "٣", ""])
def test_lengths_that_are_none(value):
    answer = SimpleNamespace(status_code=200, headers={"Content-Length": value})
    assert _extent(answer) == (0, None)


@pytest.mark.parametrize("note", ["[", "[]", '{"url": 1}', "[" * 100_000])
def test_notes_of_what_came_that_are_damaged(tmp_path, note):
    (tmp_path / "a.part.json").write_text(note)
    assert Partial(tmp_path / "a", PIN).validator == ""


@pytest.mark.parametrize("total", ['"many"', "null", "7.5"])
def test_a_note_with_a_size_that_is_none(tmp_path, total):
    note = f'{{"url": "{PIN.url}", "validator": "v", "total": {total}}}'
    (tmp_path / "a.part.json").write_text(note)
    assert Partial(tmp_path / "a", PIN).total == (None if total == "null" else PIN.bytes)


@pytest.mark.parametrize(
    ("key", "value"),
    [("size", -1), ("size", "3"), ("size", True), ("sha1", "A" * 40), ("sha1", [1]), ("md5", "b")],
)
def test_a_status_with_sizes_and_checksums_that_are_none(tmp_path, key, value):
    told = json.loads(STATUS)
    next(iter(told["jobs"]["articlesdump"]["files"].values()))[key] = value
    with pytest.raises(UserError, match=r"dumpstatus\.json: expected JSON with jobs\.articlesdump"):
        _pins(tmp_path, json.dumps(told))


@pytest.mark.parametrize(
    "content", ["[" * 100_000, '{"jobs": [[]]}', '{"jobs": {"articlesdump": 1}}']
)
def test_a_status_of_another_form(tmp_path, content):
    with pytest.raises(UserError, match=r"dumpstatus\.json: expected JSON with jobs\.articlesdump"):
        _pins(tmp_path, content)


def _pins(base, content):
    (base / FOLDER).mkdir(parents=True)
    (base / FOLDER / "dumpstatus.json").write_text(content)
    return sources.pins("dawiki", Settings(product="legacy", base=str(base)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\ta.bz2\t", "\t..\t", r"expected a file's name, got '\.\.'"),
        ("\ta.bz2\t", "\t../a\t", r"expected a file's name, got '\.\./a'"),
        ("\ta.bz2\t", "\ta\0b\t", r"expected a file's name"),
        ("\ta.bz2\t", "\ta\u2028b\t", r"expected a file's name"),
        ("dawiki\tlegacy", "../x\tlegacy", "expected a wiki such as dawiki"),
        ("2026-01-01", "../../..", "expected a date such as 2026-01-01"),
        ("\t10\t", "\t" + "9" * 5000 + "\t", "expected a number of bytes"),
        ("\t10\t", "\t²\t", "expected a number of bytes"),
    ],
)
def test_pins_that_name_no_file(tmp_path, old, new, message):
    table = TABLE.decode()
    assert table.count(old) == 1
    (tmp_path / "pins.tsv").write_text(table.replace(old, new), encoding="utf-8")
    with pytest.raises(UserError, match=rf"pins\.tsv, line 2: {message}"):
        pins.read_pins(tmp_path / "pins.tsv")


@pytest.mark.parametrize("line", ["9" * 5000 + "-0", "٠-٠", "0-0 0-", "-1-0"])
def test_links_that_are_none(tmp_path, line):
    (tmp_path / "links").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(UserError, match="line 1 of its links: expected places such as"):
        eflomal._read(tmp_path / "links", [([1, 2], [3])])
