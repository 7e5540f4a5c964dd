"""Dictionaries of dictd, made here by its documentation; and one of Debian's, if there is apt."""

import gzip
import shutil

import pytest

from cr5.base.errors import UserError
from cr5.corpora import debian, freedict
from tests.kit.readers.archives import deb

# Base 64 of dictd(8), by hand: 0 is A, 63 is /, 64 is BA, 130 is CC.
ABOUT = "00-database-short\nDanish-English\n"
BANK = "bank /ˈbanʔk/ <n>\n1. bank\n2. [penge; mønt] money box, piggy bank\n   Synonym: {spa, b}\n"
AA = 'å <n>\nstream (small), brook <AE>; river\n         Note: poetic, old\n see: {bæk}\n "x" y\n'


def digits(number):
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return (digits(number // 64) if number >= 64 else "") + alphabet[number % 64]


def make(entries):
    """Keys and texts to the two files of dictd, of keys with the same text one entry."""
    index, texts, places = [], b"", {}
    for key, text in entries:
        if text not in places:
            places[text] = len(texts)
            texts += text.encode()
        index.append(f"{key}\t{digits(places[text])}\t{digits(len(text.encode()))}\n")
    return "".join(sorted(index)).encode(), texts


@pytest.fixture
def folder(tmp_path):
    index, texts = make([("00databaseshort", ABOUT), ("bank", BANK), ("aa", AA), ("å", AA)])
    (tmp_path / "usr").mkdir()
    (tmp_path / "usr" / "freedict-dan-eng.index").write_bytes(index)
    (tmp_path / "usr" / "freedict-dan-eng.dict.dz").write_bytes(gzip.compress(texts))
    return tmp_path


ENTRIES = [
    ("bank", "bank"),
    ("bank", "money box"),
    ("bank", "piggy bank"),
    *[("å", "stream"), ("å", "brook"), ("å", "river"), ("å", "y")],
]


def test_translations_are_read_and_remarks_are_not(folder):
    found = freedict.find(folder, [("da", "en"), ("en", "da")])
    assert found == {("da", "en"): folder / "usr" / "freedict-dan-eng.index"}
    assert list(freedict.entries(found["da", "en"])) == ENTRIES


def test_a_package_is_read_as_it_is_and_the_newest_counts(folder, tmp_path):
    names = ["dict-freedict-dan-eng_2022.9_all.deb", "dict-freedict-dan-eng_2022.10_all.deb"]
    parts = {
        f"./usr/share/dictd/{path.name}": path.read_bytes() for path in (folder / "usr").iterdir()
    }
    parts["./usr/share/doc/x.index"] = b"no"
    for name in names:
        (tmp_path / name).write_bytes(deb(parts))
    found = freedict.find(tmp_path, [("da", "en")])
    assert found["da", "en"].name == names[1]
    assert list(freedict.entries(found["da", "en"])) == ENTRIES


def test_names_of_packages():
    assert freedict.package("da", "en") == "dict-freedict-dan-eng"
    assert freedict.package("pt_br", "ast") == "dict-freedict-por-ast"


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="apt-get is not installed")
def test_of_the_packages_asked_for_those_that_are_there_come(tmp_path):
    names = [freedict.package(*pair) for pair in [("da", "en"), ("da", "vi")]]
    try:
        fetched = debian.download(names, tmp_path, if_there=True)
    except UserError as error:
        if "check the network" in str(error):
            pytest.skip(f"no network: {error}")
        raise
    assert [path.name.split("_")[0] for path in fetched] == ["dict-freedict-dan-eng"]
    [found] = freedict.find(tmp_path, [("da", "en")]).values()
    entries = set(freedict.entries(found))
    assert {("adgang", "access"), ("adgang", "admission"), ("adjektiv", "adjective")} <= entries
