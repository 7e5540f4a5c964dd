import bz2
import gzip
import lzma

import pytest

from cr5.base.errors import UserError
from cr5.base.lines import lines


@pytest.mark.parametrize("compress", [bytes, gzip.compress, lzma.compress, bz2.compress])
def test_lines_with_their_places(tmp_path, compress):
    path = tmp_path / "file"
    path.write_bytes(compress("\ufeffå b\r\n\n \t\nc\t\n d".encode()))
    assert list(lines(path)) == [
        ("å b", f"{path}, line 1"),
        ("c\t", f"{path}, line 4"),
        (" d", f"{path}, line 5"),
    ]


def test_what_is_not_utf8_is_named_with_its_line(tmp_path):
    (tmp_path / "file").write_bytes("a\n\nå\n".encode("latin-1"))
    with pytest.raises(UserError, match="file, line 3: this is not UTF-8"):
        list(lines(tmp_path / "file"))


def test_an_empty_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="file: the file is empty"):
        list(lines(tmp_path / "file"))
