import pytest

from cr5.base.errors import UserError
from cr5.corpora.dictionary_places import fetched, files, is_elsewhere, of_pair


def test_what_is_fetched_first(tmp_path):
    assert is_elsewhere("freedict")
    assert is_elsewhere("https://example.org/{source}-{target}.txt")
    assert not is_elsewhere("dicts/{source}-{target}.txt")
    assert not is_elsewhere(str(tmp_path))


@pytest.mark.parametrize("where", ["", "dicts", "https://example.org/en-da.txt", "d/{source}.txt"])
def test_what_means_nothing_is_refused(where):
    with pytest.raises(UserError, match=r"expected `freedict`, a folder .* found "):
        is_elsewhere(where)


def test_files_that_are_there(tmp_path):
    (tmp_path / "da-en").write_text("x")
    where = f"{tmp_path}/{{source}}-{{target}}"
    assert files(where, [("en", "da"), ("da", "en")]) == {("da", "en"): tmp_path / "da-en"}


def test_where_fetched_files_are():
    assert fetched("freedict", "out") == "out"
    url = "https://example.org/{source}/{target}.txt"
    assert of_pair(fetched(url, "out"), ("da", "en")) == "out/da-en"
