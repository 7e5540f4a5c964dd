import lzma
from itertools import permutations

import pytest

from benchmarks.made_up.server import serving
from cr5.base.errors import UserError
from cr5.corpora import dictionaries, freedict
from cr5.corpora.fetch import dictionaries as fetching
from cr5.corpora.fetch.access import Access


@pytest.mark.parametrize(
    "content",
    [
        "the el\nthe  las\n\nElCid Cid\n",  # MUSE, Dinu et al.
        "the\tel\nthe\tlas\nElCid\tCid\n",
        "el @ the\nlas @ the\nCid @ ElCid\n",
        "\ufeffthe el\r\nlas @ the\r\nElCid\tCid",
    ],
)
def test_every_form_has_the_same_entries(tmp_path, content):
    (tmp_path / "en-es.txt").write_bytes(content.encode())
    expected = [("the", "el"), ("the", "las"), ("ElCid", "Cid")]
    assert list(dictionaries.entries(tmp_path / "en-es.txt")) == expected


def test_phrases_need_a_tab_or_an_at_sign(tmp_path):
    path = tmp_path / "en-es.xz"
    path.write_bytes(lzma.compress(b"ice cream\thelado\nhelado de nata @ ice cream\n"))
    expected = [("ice cream", "helado"), ("ice cream", "helado de nata")]
    assert list(dictionaries.entries(path)) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a\tb @ c\n", ("a", "b @ c")),
        ("a\u00a0b c\n", ("a\u00a0b", "c")),
        ("x y\na\0 b\n", ("a\ufffd", "b")),
    ],
)
def test_what_stands_within_a_word(tmp_path, content, expected):
    (tmp_path / "en-es.txt").write_bytes(content.encode())
    assert list(dictionaries.entries(tmp_path / "en-es.txt"))[-1] == expected


@pytest.fixture
def server(tmp_path):
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "en-da.txt").write_text("and og\n")
    (tmp_path / "published" / "da-en.txt.xz").write_bytes(lzma.compress(b"og and\n"))
    with serving(tmp_path / "published") as running:
        yield running


PAIRS = list(permutations(["da", "en", "vi"], 2))
HASTE = Access(tries=2, wait=0.001, timeout=1.0)


def test_what_a_server_has_is_fetched_and_pairs_without_a_file_are_passed_over(server, tmp_path):
    where = f"{server.url}/{{source}}-{{target}}.txt"
    fetching.fetch(where, PAIRS, tmp_path / "here", HASTE)
    found = dictionaries.find(dictionaries.fetched(where, str(tmp_path / "here")), PAIRS)
    assert found == {("en", "da"): tmp_path / "here" / "en-da"}
    assert list(dictionaries.entries(found["en", "da"])) == [("and", "og")]
    assert len(server.requests) == len(PAIRS)


def test_compressed_files_are_known_by_their_content(server, tmp_path):
    where = f"{server.url}/{{source}}-{{target}}.txt.xz"
    fetching.fetch(where, PAIRS, tmp_path / "here", HASTE)
    [found] = dictionaries.find(dictionaries.fetched(where, str(tmp_path / "here")), PAIRS).values()
    assert list(dictionaries.entries(found)) == [("og", "and")]


def test_a_server_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(UserError, match="no server is there"):
        where = "http://127.0.0.1:9/{source}-{target}"
        fetching.fetch(where, PAIRS, tmp_path / "here", HASTE)


def test_freedict_s_packages_are_asked_for_in_both_directions(tmp_path, monkeypatch):
    asked = {}
    monkeypatch.setattr(
        fetching.debian,
        "download",
        lambda names, folder, if_there: asked.update(names=names, if_there=if_there),
    )
    fetching.fetch("freedict", [("da", "en"), ("en", "da")], tmp_path)
    names = [freedict.package("da", "en"), freedict.package("en", "da")]
    assert asked == {"names": names, "if_there": True}


def test_what_is_fetched_first(tmp_path):
    assert dictionaries.is_elsewhere("freedict")
    assert dictionaries.is_elsewhere("https://example.org/{source}-{target}.txt")
    assert not dictionaries.is_elsewhere("dicts/{source}-{target}.txt")
    assert not dictionaries.is_elsewhere(str(tmp_path))


@pytest.mark.parametrize("where", ["", "dicts", "https://example.org/en-da.txt", "d/{source}.txt"])
def test_what_means_nothing_is_refused(where):
    with pytest.raises(UserError, match=r"expected `freedict`, a folder .* found "):
        dictionaries.is_elsewhere(where)


def test_where_fetched_files_are():
    assert dictionaries.fetched("freedict", "out") == "out"
    url = "https://example.org/{source}/{target}.txt"
    assert dictionaries.of_pair(dictionaries.fetched(url, "out"), ("da", "en")) == "out/da-en"
