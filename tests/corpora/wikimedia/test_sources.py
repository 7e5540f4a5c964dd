import hashlib
import json
import re
import shutil

import pytest

from cr5.base.errors import UserError
from cr5.corpora.fetch.pins import write_pins
from cr5.corpora.wikimedia.sources import Settings, location, pins
from tests.kit.wikimedia.server import Fault

CONTENT = "other/mediawiki_content_current/eswiki"
CIRRUS = "other/cirrus_search_index"


@pytest.fixture
def folder(mirror, tmp_path):
    """A copy of the mirror, to change."""
    return shutil.copytree(mirror, tmp_path / "dumps")


def local(folder, product="content", **options):
    return Settings(base=str(folder), product=product, **options)


def digest(path, kind):
    return hashlib.new(kind, path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("product", "kind", "pattern"),
    [
        ("content", "sha256", r"zh_yuewiki-2026-10-01-p\d+p\d+\.xml\.bz2"),
        ("cirrus", "", r"zh_yuewiki_content-20261001-0000\d\.json\.bz2"),
        ("legacy", "sha1", r"zh_yuewiki-20261001-pages-articles\d\.xml-p\d+p\d+\.bz2"),
    ],
)
def test_the_files_of_each_layout(mirror, server, product, kind, pattern):
    found = pins("zh_yuewiki", Settings(base=server.url, product=product, contact="tests"))
    *text, table = found
    assert len(text) == 3
    assert (table.role, table.product, table.checksum_kind) == ("page_props", "legacy", "sha1")
    assert table.name == "zh_yuewiki-20261001-page_props.sql.gz"
    assert table.checksum == digest(mirror / location(table), "sha1")
    for pin in text:
        path = mirror / location(pin)
        assert (pin.wiki, pin.product, pin.role) == ("zh_yuewiki", product, "text")
        assert pin.date == "2026-10-01"  # the folder of 2026-11-01 is not finished
        assert re.fullmatch(pattern, pin.name) and path.name == pin.name
        assert pin.url == f"{server.url}/{location(pin)}"
        assert pin.bytes == path.stat().st_size
        assert (pin.checksum_kind, pin.checksum) == (kind, digest(path, kind) if kind else "")


@pytest.mark.parametrize("product", ["content", "cirrus", "legacy"])
def test_a_folder_and_a_server_give_the_same_files(mirror, server, product):
    there = pins("eswiki", Settings(base=server.url, product=product, contact="tests"))
    here = pins("eswiki", Settings(base=f"file://{mirror}", product=product))
    for one, other in zip(there, here, strict=True):
        assert (one.name, one.bytes, one.checksum) == (other.name, other.bytes, other.checksum)
        assert other.url == str(mirror / location(other))


@pytest.mark.parametrize("product", ["content", "legacy"])
def test_parts_come_in_order_of_page_ids(mirror, product):
    *text, _ = pins("eswiki", local(mirror, product))
    starts = [int(re.search(r"-p(\d+)p\d+", pin.name)[1]) for pin in text]
    assert starts == sorted(starts)


def test_a_small_wiki_has_one_part_without_a_number(folder):
    status = folder / "eswiki/20261001/dumpstatus.json"
    name, about = "eswiki-20261001-pages-articles.xml.bz2", {"size": 5, "md5": "ab" * 16}
    jobs = json.loads(status.read_text())["jobs"]
    jobs["articlesdump"]["files"] = {name: about}
    status.write_text(json.dumps({"jobs": jobs}))
    text, _ = pins("eswiki", local(folder, "legacy"))
    assert (text.name, text.bytes, text.checksum_kind) == (name, 5, "md5")


def test_checksums_that_a_mirror_leaves_out_of_the_status_are_in_a_list(folder):
    status = folder / "eswiki/20261001/dumpstatus.json"
    text = re.sub(r'"(md5|sha1)": "\w+"', '"x": 0', status.read_text())
    status.write_text(text)
    table = pins("eswiki", local(folder))[-1]
    assert table.checksum == digest(folder / location(table), "sha1")


def test_the_newest_of_several_complete_dates(folder):
    dates = folder / CONTENT
    shutil.copytree(dates / "2026-10-01", dates / "2026-09-01")
    assert pins("eswiki", local(folder))[0].date == "2026-10-01"


def test_a_date_that_is_asked_for(folder):
    old, new = folder / CONTENT / "2026-10-01/xml/bzip2", folder / CONTENT / "2026-09-01/xml/bzip2"
    shutil.copytree(old, new)
    for path in new.iterdir():
        path.rename(path.with_name(path.name.replace("10-01", "09-01")))
    sums = new / "SHA256SUMS"
    sums.write_text(sums.read_text().replace("10-01", "09-01"))
    found = pins("eswiki", local(folder, date="2026-09-01"))
    assert {(pin.role, pin.date) for pin in found} == {
        ("text", "2026-09-01"),
        ("page_props", "2026-10-01"),
    }


@pytest.mark.parametrize("product", ["content", "cirrus", "legacy"])
def test_a_wiki_that_is_not_there(mirror, product):
    with pytest.raises(UserError, match=r"no zh_yuvwiki among 2 wikis, such as zh_yuewiki"):
        pins("zh_yuvwiki", local(mirror, product))


def test_a_base_that_is_something_else(tmp_path, server):
    (tmp_path / "holiday.jpg").touch()
    with pytest.raises(UserError, match="eswiki: "):
        pins("eswiki", local(tmp_path))
    server.faults = [Fault("*", "html")]
    with pytest.raises(UserError, match=r"expected a directory listing, got .*log in"):
        pins("eswiki", Settings(base=server.url, contact="tests"))


STATUS = "eswiki/20261001/dumpstatus.json"
SUMS = f"{CONTENT}/2026-10-01/xml/bzip2/SHA256SUMS"
SHARDS = f"{CIRRUS}/20261001/index_name=eswiki_content"
UNFINISHED = [  # what is asked for; a file's name and what stands in its place, None for no file
    *(("content", x, None) for x in (f"{CONTENT}/2026-10-01/xml/bzip2/*.bz2", SUMS)),
    *(("cirrus", f"{SHARDS}/{x}", None) for x in ("*00001.json.bz2", "_SUCCESS")),
    *(("content", x, "<html>") for x in (SUMS, STATUS)),
    ("content", STATUS, '{"jobs": {"x": {}}}'),
]


@pytest.mark.parametrize(("product", "pattern", "content"), UNFINISHED)
def test_what_is_incomplete_or_of_another_form(folder, product, pattern, content):
    path = next(folder.glob(pattern))
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(UserError, match="eswiki"):
        pins("eswiki", local(folder, product))


def test_pinned_files_are_not_looked_up(mirror, tmp_path, server):
    table = tmp_path / "pins.tsv"
    pinned = pins("eswiki", local(mirror))
    write_pins(table, pinned)
    assert pins("eswiki", Settings(pins=str(table))) == pinned
    elsewhere = pins("eswiki", Settings(pins=str(table), base=server.url, contact="tests"))
    assert [pin.url for pin in elsewhere] == [f"{server.url}/{location(pin)}" for pin in pinned]
    assert server.requests == []


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
