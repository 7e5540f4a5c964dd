import pytest

from cr5.base.errors import UserError
from cr5.corpora import tsv


def read(path, content):
    path.write_text(content, encoding="utf-8")
    return list(tsv.records(path, "en", "n", "said"))


def test_documents_are_read_by_two_columns(tmp_path):
    content = "more\tsaid\tn\nx\tA run\t7\ny\t\t 8\n"
    assert read(tmp_path / "a", content) == [("7", "7", "A run"), ("8", "8", "")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("n\tsaid\n1\tx\n1\ty\n", "line 3: the n '1' was already on line 2"),
        ("n\tsaid\n \tx\n", 'line 2: "n" is empty'),
        ("n\tsaid\n1\0\tx\n", r"a, line 2: \"n\" has a character .* cannot be kept: '1\\x00'"),
        ("n\tsaid\n", "no document for language 'en'"),
        ("id\tsaid\n1\tx\n", "line 1: no column 'n'"),
    ],
)
def test_mistakes_name_file_and_line(tmp_path, content, said):
    with pytest.raises(UserError, match=said):
        read(tmp_path / "a", content)


def test_a_file_that_is_not_there_names_the_keys(tmp_path):
    with pytest.raises(UserError, match=r"correct `corpus\.path` or `corpus\.codes`"):
        list(tsv.records(tmp_path / "a", "en", "n", "said"))


def test_nul_in_a_text_is_replaced(tmp_path):
    assert read(tmp_path / "a", "n\tsaid\n1\tx\0y\n") == [("1", "1", "x\ufffdy")]
