"""Where bilingual dictionaries are; headers and comments in them, and packages of FreeDict."""

import gzip
from itertools import permutations

import pytest

from cr5.base.errors import UserError
from cr5.texts import dictionaries
from tests.kit.archives import deb
from tests.kit.server import serving

PAIRS = list(permutations(["da", "en", "vi"], 2))


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("freedict", True),
        ("https://example.org/{source}-{target}.txt", True),
        ("http://example.org/{source}-{target}.txt", True),
        ("dictionaries/{source}-{target}.txt", False),
        (".", False),  # a folder of packages
    ],
)
def test_dictionaries_at_an_address_and_those_of_freedict_are_elsewhere(where, expected):
    assert dictionaries.is_elsewhere(where) == expected


@pytest.mark.parametrize("where", ["", "dictionaries/{source}.txt", "not/there"])
def test_what_is_no_place_of_dictionaries_is_refused(where):
    with pytest.raises(UserError, match="expected `freedict`"):
        dictionaries.is_elsewhere(where)


def test_of_freedict_the_packages_that_there_are_are_fetched(monkeypatch, tmp_path):
    downloads = []

    def download(packages, folder, if_there=False):
        downloads.append((packages, folder, if_there))

    monkeypatch.setattr(dictionaries.debian, "download", download)
    dictionaries.fetch("freedict", [("da", "en"), ("en", "sw")], [], tmp_path)
    packages = ["dict-freedict-dan-eng", "dict-freedict-eng-swh"]
    assert downloads == [(packages, tmp_path, True)]


def test_comments_are_no_entries_and_are_counted(tmp_path, caplog):
    caplog.set_level("INFO")
    path = tmp_path / "da-en.txt"
    path.write_text("# from a book\nhus house\n# animals\nkat cat\n")
    assert list(dictionaries.entries(path)) == [("hus", "house"), ("kat", "cat")]
    [message] = caplog.messages
    assert message.endswith(": 2")


HEADERS = [("en", "da"), ("EN", "DA"), ("eng", "dan"), ("en-GB", "da"), ("Word", "Translation")]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("separator", ["\t", " "])
def test_the_names_of_two_languages_are_no_entry_in_the_first_line(tmp_path, header, separator):
    path = tmp_path / "en-da.txt"
    line = separator.join(header)
    path.write_text(f"{line}\ncat kat\n{line}\n")
    entries = list(dictionaries.entries(path, ("en", "da")))
    assert entries == [("cat", "kat"), header]


@pytest.mark.parametrize("pair", [("da", "en"), ("en", "fr"), ("", "")])
def test_codes_of_other_languages_are_an_entry(tmp_path, pair):
    path = tmp_path / "x.txt"
    path.write_text("en da\n")
    assert list(dictionaries.entries(path, pair)) == [("en", "da")]


def test_what_a_server_has_is_fetched_and_pairs_without_a_file_are_passed_over(tmp_path):
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "en-da.txt").write_text("and og\n")
    with serving(tmp_path / "published") as server:
        pattern = f"{server.url}/{{source}}-{{target}}.txt"
        addresses = [f"{server.url}/{source}-{target}.txt" for source, target in PAIRS]
        dictionaries.fetch(pattern, PAIRS, addresses, tmp_path / "here")
        assert len(server.requests) == len(PAIRS)
    files = dictionaries.find(dictionaries.place_of_fetched(pattern, str(tmp_path / "here")), PAIRS)
    assert files == {("en", "da"): tmp_path / "here" / "en-da"}
    assert list(dictionaries.entries(files["en", "da"])) == [("and", "og")]


# Base 64 of dictd(8), by hand: 0 is A, 63 is /, 64 is BA, 130 is CC.
ABOUT = "00-database-short\nDanish-English\n"
BANK = "bank /ˈbanʔk/ <n>\n1. bank\n2. [penge; mønt] money box, piggy bank\n   Synonym: {spa, b}\n"
AA = 'å <n>\nstream (small), brook <AE>; river\n         Note: poetic, old\n see: {bæk}\n "x" y\n'


def digits(number):
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return (digits(number // 64) if number >= 64 else "") + alphabet[number % 64]


def test_translations_of_freedict_are_read_and_remarks_are_not(tmp_path):
    index = []
    texts = b""
    places = {}
    for key, text in [("00databaseshort", ABOUT), ("bank", BANK), ("aa", AA), ("å", AA)]:
        if text not in places:  # of keys with the same text there is one entry
            places[text] = len(texts)
            texts += text.encode()
        index.append(f"{key}\t{digits(places[text])}\t{digits(len(text.encode()))}\n")
    index.append(index[-1].replace("\n", "\tas it is written\n"))  # a fourth field may follow
    folder = "./usr/share/dictd/freedict-dan-eng"
    files = {f"{folder}.index": "".join(sorted(index)).encode()}
    files |= {f"{folder}.dict.dz": gzip.compress(texts), "./usr/share/doc/x.index": b"no"}
    (tmp_path / "dict-freedict-dan-eng_2022.9_all.deb").write_bytes(deb(files))
    [(pair, path)] = dictionaries.find(str(tmp_path), PAIRS).items()
    assert pair == ("da", "en")
    assert list(dictionaries.entries(path)) == [
        ("bank", "bank"),
        ("bank", "money box"),
        ("bank", "piggy bank"),
        ("å", "stream"),
        ("å", "brook"),
        ("å", "river"),
        ("å", "y"),
    ]


@pytest.mark.parametrize("ending", ["index", "dict.dz"])
def test_a_package_of_freedict_with_one_of_its_files_alone_is_refused(tmp_path, ending):
    path = tmp_path / "dict-freedict-dan-eng_2022.9_all.deb"
    path.write_bytes(deb({f"./usr/share/dictd/freedict-dan-eng.{ending}": b""}))
    with pytest.raises(UserError, match="expected an index and a"):
        list(dictionaries.entries(path))
