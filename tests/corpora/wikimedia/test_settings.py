from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.corpora.fetch.access import as_folder
from cr5.corpora.wikimedia.settings import Settings, wiki_name


@pytest.mark.parametrize(
    ("language", "wiki"),
    [
        ("da", "dawiki"),
        ("zh-yue", "zh_yuewiki"),
        ("yue", "zh_yuewiki"),
        ("nb", "nowiki"),
        ("be-tarask", "be_x_oldwiki"),
    ],
)
def test_the_name_of_a_wiki(language, wiki):
    assert wiki_name(language) == wiki


def test_what_is_on_the_network_and_what_is_local():
    assert as_folder("https://dumps.wikimedia.org") is None
    assert as_folder("file:///a%20b/c") == Path("/a b/c")
    assert as_folder("../dumps") == Path("../dumps")
    with pytest.raises(UserError, match="expected an address with http, https or file"):
        as_folder("ftp://example.org/dumps")


def test_the_root_is_wikimedia_unless_said_otherwise():
    assert Settings().root == "https://dumps.wikimedia.org"
    assert Settings(base="https://example.org/dumps/").root == "https://example.org/dumps"
