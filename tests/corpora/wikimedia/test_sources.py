import hashlib
import json
import re
import shutil

import pytest

from cr5.base.errors import UserError
from cr5.corpora.wikimedia.sources import Settings, location, pins
from tests.kit.wikimedia.server import Fault

CONTENT = "other/mediawiki_content_current/eswiki"


@pytest.fixture
def folder(mirror, tmp_path):
    """A copy of the mirror, to change."""
    return shutil.copytree(mirror, tmp_path / "dumps")


def local(folder, **options):
    return Settings(base=str(folder), **options)


def digest(path, kind):
    return hashlib.new(kind, path.read_bytes()).hexdigest()


def test_the_files_of_a_wiki(mirror, server):
    found = pins("zh_yuewiki", Settings(base=server.url, contact="tests"))
    *text, table = found
    assert len(text) == 3
    assert (table.role, table.checksum_kind) == ("page_props", "sha1")
    assert table.name == "zh_yuewiki-20261001-page_props.sql.gz"
    assert table.checksum == digest(mirror / location(table), "sha1")
    for pin in text:
        path = mirror / location(pin)
        assert (pin.wiki, pin.role) == ("zh_yuewiki", "text")
        assert pin.date == "2026-10-01"  # the folder of 2026-11-01 is not finished
        assert re.fullmatch(r"zh_yuewiki-2026-10-01-p\d+p\d+\.xml\.bz2", pin.name)
        assert path.name == pin.name
        assert pin.url == f"{server.url}/{location(pin)}"
        assert pin.bytes == path.stat().st_size
        assert (pin.checksum_kind, pin.checksum) == ("sha256", digest(path, "sha256"))


def test_a_folder_and_a_server_give_the_same_files(mirror, server):
    there = pins("eswiki", Settings(base=server.url, contact="tests"))
    here = pins("eswiki", Settings(base=f"file://{mirror}"))
    for one, other in zip(there, here, strict=True):
        assert (one.name, one.bytes, one.checksum) == (other.name, other.bytes, other.checksum)
        assert other.url == str(mirror / location(other))


def test_parts_come_in_order_of_page_ids(mirror):
    *text, _ = pins("eswiki", local(mirror))
    starts = [int(re.search(r"-p(\d+)p\d+", pin.name)[1]) for pin in text]
    assert starts == sorted(starts)


def test_a_table_may_have_no_checksum_but_md5(folder):
    status = folder / STATUS
    name, about = "eswiki-20261001-page_props.sql.gz", {"size": 5, "md5": "ab" * 16}
    status.write_text(
        json.dumps({"jobs": {"pagepropstable": {"status": "done", "files": {name: about}}}})
    )
    status.with_name("eswiki-20261001-sha1sums.txt").unlink(missing_ok=True)
    table = pins("eswiki", local(folder))[-1]
    assert (table.name, table.bytes, table.checksum_kind) == (name, 5, "md5")


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


def test_a_wiki_that_is_not_there(mirror):
    with pytest.raises(UserError, match=r"no zh_yuvwiki among 2 wikis, such as zh_yuewiki"):
        pins("zh_yuvwiki", local(mirror))


def test_a_base_that_is_something_else(tmp_path, server):
    (tmp_path / "holiday.jpg").touch()
    with pytest.raises(UserError, match="eswiki: "):
        pins("eswiki", local(tmp_path))
    server.faults = [Fault("*", "html")]
    with pytest.raises(UserError, match=r"expected a directory listing, got .*log in"):
        pins("eswiki", Settings(base=server.url, contact="tests"))


STATUS = "eswiki/20261001/dumpstatus.json"
SUMS = f"{CONTENT}/2026-10-01/xml/bzip2/SHA256SUMS"
UNFINISHED = [  # a file's name and what stands in its place, None for no file
    *((x, None) for x in (f"{CONTENT}/2026-10-01/xml/bzip2/*.bz2", SUMS)),
    *((x, "<html>") for x in (SUMS, STATUS)),
    (STATUS, '{"jobs": {"x": {}}}'),
    (STATUS, '{"jobs": {"pagepropstable": {"status": "done", "files": {}}}}'),
]


@pytest.mark.parametrize(("pattern", "content"), UNFINISHED)
def test_what_is_incomplete_or_of_another_form(folder, pattern, content):
    path = next(folder.glob(pattern))
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(UserError, match="eswiki"):
        pins("eswiki", local(folder))
