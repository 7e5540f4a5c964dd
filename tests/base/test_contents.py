"""Folders: whatever happens to one of their files is noticed when it is read."""

import json
import zlib

import pytest

from cr5.base import contents
from cr5.base.errors import UserError
from cr5.base.kinds import BAGS, DRAWS
from cr5.base.labels import Kind

FILES = {"a.txt": b"one", "below/b.bin": bytes(range(9)), "empty": b""}
OF, FITS = {"language": "en"}, {"vocabulary of en": "f00"}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "en"
    with contents.written(BAGS, folder, OF, FITS) as temporary:
        (temporary / "below").mkdir()
        for name, content in FILES.items():
            (temporary / name).write_bytes(content)
    return folder


def all_read(folder):
    found = contents.opened(BAGS, folder, language="en")
    return {name: found.file(name).read_bytes() for name in FILES}


def noticed(folder, path):
    with pytest.raises(UserError) as error:
        all_read(folder)
    assert str(error.value).startswith((f"{path}: ", f"{folder}: "))
    assert str(error.value).endswith(f"; remove {folder} and run again")
    return str(error.value)


def test_what_is_whole_is_read(folder):
    assert all_read(folder) == FILES
    (folder / "beside.json").write_text("not of it")
    assert all_read(folder) == FILES


def test_what_it_says_by_hand(folder):
    said = json.loads((folder / "contents.json").read_text())
    assert said["kind"] == "bags of words"
    assert (said["format"], said["of"], said["fits"]) == (1, OF, FITS)
    expected = {name: [len(x), f"{zlib.crc32(x):08x}"] for name, x in FILES.items()}
    assert said["files"] == expected
    assert zlib.crc32(b"123456789") == 0xCBF43926  # the check value of CRC-32 (ISO-HDLC)


@pytest.mark.parametrize("name", [*FILES, "contents.json"])
def test_every_bit_that_flips_is_noticed(folder, name):
    path = folder / name
    content = path.read_bytes()
    for place in range(len(content)):
        for bit in range(8):
            flipped = bytearray(content)
            flipped[place] ^= 1 << bit
            path.write_bytes(flipped)
            if name != contents.NAME or not same(content, flipped):
                noticed(folder, path)
    path.write_bytes(content)
    assert all_read(folder) == FILES


def same(content, flipped):
    """Whether both say the same: white space that became other white space."""
    try:
        return json.loads(content) == json.loads(flipped)
    except ValueError:
        return False


@pytest.mark.parametrize("name", ["a.txt", "below/b.bin", "contents.json"])
def test_every_end_that_is_cut_off_is_noticed(folder, name):
    path = folder / name
    content = path.read_bytes()
    for size in range(len(content) - 1):  # contents.json may do without its last line end
        path.write_bytes(content[:size])
        said = noticed(folder, path)
        if name != contents.NAME:
            assert f"{path}: cut off: expected {len(content)} bytes, found {size}" in said


@pytest.mark.parametrize("name", [*FILES, "contents.json"])
def test_a_missing_file(folder, name):
    (folder / name).unlink()
    noticed(folder, folder / name)


def test_a_missing_folder(tmp_path):
    with pytest.raises(UserError, match=r"none: no such folder; expected bags of words; remove"):
        contents.opened(BAGS, tmp_path / "none")


@pytest.mark.parametrize(
    ("kind", "of", "message"),
    [
        (DRAWS, {}, "expected draws, found bags of words"),
        (BAGS, {"language": "it"}, "expected bags of words of language 'it', found language 'en'"),
        (
            Kind("bags of words", 2),
            {},
            "made by another version of cr5: .*t 2, found format 1",
        ),
    ],
)
def test_another_kind_language_or_format(folder, kind, of, message):
    with pytest.raises(UserError, match=rf"en: {message}; remove {folder} and run again"):
        contents.opened(kind, folder, **of)


@pytest.mark.parametrize(
    "content", ["[]", "3", '{"files": {}}', '{"files": 3, "checksum": "x"}', "{" * 5000]
)
def test_something_else_in_its_place(folder, content):
    (folder / "contents.json").write_text(content)
    noticed(folder, folder)
