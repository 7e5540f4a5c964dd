import lzma
from itertools import permutations

import pytest

from cr5.corpora import dictionaries, freedict
from tests.kit.server import serving


@pytest.fixture
def server(tmp_path):
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "en-da.txt").write_text("and og\n")
    (tmp_path / "published" / "da-en.txt.xz").write_bytes(lzma.compress(b"og and\n"))
    with serving(tmp_path / "published") as running:
        yield running


PAIRS = list(permutations(["da", "en", "vi"], 2))


def test_what_a_server_has_is_fetched_and_pairs_without_a_file_are_passed_over(server, tmp_path):
    where = f"{server.url}/{{source}}-{{target}}.txt"
    dictionaries.fetch(where, PAIRS, tmp_path / "here")
    found = dictionaries.find(dictionaries.fetched(where, str(tmp_path / "here")), PAIRS)
    assert found == {("en", "da"): tmp_path / "here" / "en-da"}
    assert list(dictionaries.entries(found["en", "da"])) == [("and", "og")]
    assert len(server.requests) == len(PAIRS)


def test_freedict_s_packages_are_asked_for_in_both_directions(tmp_path, monkeypatch):
    asked = {}
    monkeypatch.setattr(
        dictionaries.debian,
        "download",
        lambda names, folder, if_there: asked.update(names=names, if_there=if_there),
    )
    dictionaries.fetch("freedict", [("da", "en"), ("en", "da")], tmp_path)
    names = [freedict.package("da", "en"), freedict.package("en", "da")]
    assert asked == {"names": names, "if_there": True}


def test_what_is_fetched_first(tmp_path):
    assert dictionaries.is_elsewhere("freedict")
    assert dictionaries.is_elsewhere("https://example.org/{source}-{target}.txt")
    assert not dictionaries.is_elsewhere("dicts/{source}-{target}.txt")
    assert not dictionaries.is_elsewhere(str(tmp_path))


def test_where_fetched_files_are():
    assert dictionaries.fetched("freedict", "out") == "out"
    url = "https://example.org/{source}/{target}.txt"
    assert dictionaries.of_pair(dictionaries.fetched(url, "out"), ("da", "en")) == "out/da-en"
