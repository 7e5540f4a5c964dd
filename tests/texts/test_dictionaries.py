"""Dictionaries: where they are, and FreeDict's for dictd."""

import gzip
from itertools import permutations

from cr5.texts import dictionaries
from tests.kit.archives import deb
from tests.kit.server import serving

PAIRS = list(permutations(["da", "en", "vi"], 2))


def test_what_a_server_has_is_fetched_and_pairs_without_a_file_are_passed_over(tmp_path):
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "en-da.txt").write_text("and og\n")
    with serving(tmp_path / "published") as server:
        where = f"{server.url}/{{source}}-{{target}}.txt"
        dictionaries.fetch(where, PAIRS, tmp_path / "here")
        assert len(server.requests) == len(PAIRS)
    found = dictionaries.find(dictionaries.fetched(where, str(tmp_path / "here")), PAIRS)
    assert found == {("en", "da"): tmp_path / "here" / "en-da"}
    assert list(dictionaries.entries(found["en", "da"])) == [("and", "og")]


# Base 64 of dictd(8), by hand: 0 is A, 63 is /, 64 is BA, 130 is CC.
ABOUT = "00-database-short\nDanish-English\n"
BANK = "bank /ˈbanʔk/ <n>\n1. bank\n2. [penge; mønt] money box, piggy bank\n   Synonym: {spa, b}\n"
AA = 'å <n>\nstream (small), brook <AE>; river\n         Note: poetic, old\n see: {bæk}\n "x" y\n'


def digits(number):
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return (digits(number // 64) if number >= 64 else "") + alphabet[number % 64]


def test_translations_of_freedict_are_read_and_remarks_are_not(tmp_path):
    index, texts, places = [], b"", {}
    for key, text in [("00databaseshort", ABOUT), ("bank", BANK), ("aa", AA), ("å", AA)]:
        if text not in places:  # of keys with the same text there is one entry
            places[text] = len(texts)
            texts += text.encode()
        index.append(f"{key}\t{digits(places[text])}\t{digits(len(text.encode()))}\n")
    folder = "./usr/share/dictd/freedict-dan-eng"
    files = {f"{folder}.index": "".join(sorted(index)).encode()}
    files |= {f"{folder}.dict.dz": gzip.compress(texts), "./usr/share/doc/x.index": b"no"}
    (tmp_path / "dict-freedict-dan-eng_2022.9_all.deb").write_bytes(deb(files))
    [(pair, path)] = dictionaries.find(str(tmp_path), PAIRS).items()
    assert pair == ("da", "en")
    assert list(dictionaries.entries(path)) == [
        *(("bank", x) for x in ("bank", "money box", "piggy bank")),
        *(("å", x) for x in ("stream", "brook", "river", "y")),
    ]
