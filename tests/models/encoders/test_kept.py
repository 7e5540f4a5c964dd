"""Rows that are kept: each text is embedded once, by whichever process comes first."""

import subprocess
import sys

import numpy as np
import pytest

from cr5.models.encoders import kept
from cr5.models.encoders.kept import KeptRows

ENCODE = """
import sys, time
import numpy as np
from cr5.models.encoders.kept import KeptRows

def encode(texts):
    time.sleep(0.05)
    with open(sys.argv[2], "a") as file:
        file.writelines(f"{text}\\n" for text in texts)
    return np.array([[len(text), ord(text[0])] for text in texts], np.float32)

rows = KeptRows.of(sys.argv[1], "e", "0" * 64, "en")
texts = [f"{number} text" for number in range(30)]
found = rows.rows(texts, "", encode)
assert found.tolist() == [[len(text), ord(text[0])] for text in texts]
"""


class Lengths:
    """An encoder of lengths, which remembers what it was given."""

    def __init__(self):
        self.given = []

    def __call__(self, texts):
        self.given += texts
        return np.array([[len(text), 1.5] for text in texts], np.float32)


@pytest.fixture
def rows(tmp_path):
    return KeptRows.of(tmp_path / "encoded", "e5_small", "ab" * 32, "en")


def test_each_text_is_embedded_once_and_rows_are_as_they_came(rows):
    encode = Lengths()
    found = rows.rows(["b", "aaa", "b"], "p ", encode)
    assert found.tolist() == [[1, 1.5], [3, 1.5], [1, 1.5]]
    assert found.dtype == np.float32
    assert sorted(encode.given) == ["aaa", "b"]
    assert rows.rows(["aaa", "cc"], "p ", encode).tolist() == [[3, 1.5], [2, 1.5]]
    assert sorted(encode.given) == ["aaa", "b", "cc"]


@pytest.mark.parametrize(
    ("encoder", "digit", "language", "prefix"),
    [
        ("use", "a", "en", ""),
        ("e5", "b", "en", ""),
        ("e5", "a", "it", ""),
        ("e5", "a", "en", "query: "),
    ],
)
def test_rows_are_of_one_encoder_checksum_language_and_prefix(
    tmp_path, encoder, digit, language, prefix
):
    encode = Lengths()
    KeptRows.of(tmp_path, "e5", "a" * 64, "en").rows(["x"], "", encode)
    KeptRows.of(tmp_path, encoder, digit * 64, language).rows(["x"], prefix, encode)
    assert encode.given == ["x", "x"]


def test_a_killed_process_loses_one_batch(rows, monkeypatch):
    monkeypatch.setattr(kept, "BATCH", 2)
    encode = Lengths()

    def fail(texts):
        if encode.given:
            raise KeyboardInterrupt
        return encode(texts)

    with pytest.raises(KeyboardInterrupt):
        rows.rows(["a", "bb", "ccc"], "", fail)
    assert rows.rows(["a", "bb", "ccc"], "", encode)[:, 0].tolist() == [1, 2, 3]
    assert sorted(encode.given) == ["a", "bb", "ccc"]


@pytest.mark.parametrize("damage", ["cut", "changed", "empty"])
def test_what_is_damaged_is_made_again(rows, caplog, damage):
    encode = Lengths()
    rows.rows(["a", "bb"], "", encode)
    [path] = rows.folder.glob("*.npz")
    content = bytearray(path.read_bytes())
    place = content.find(np.float32(1.5).tobytes())
    content[place] ^= 1
    damaged = {"cut": content[:-40], "changed": content, "empty": b""}
    path.write_bytes(damaged[damage])
    assert rows.rows(["a", "bb"], "", encode).tolist() == [[1, 1.5], [2, 1.5]]
    assert len(encode.given) == 4
    assert f"{path}: a damaged file, made again" in caplog.text


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_rows_that_are_not_finite_are_made_again(rows, caplog, number):
    """As an older version kept them."""
    rows.rows(["a", "bb"], "", lambda texts: np.full((len(texts), 2), number, np.float32))
    [path] = rows.folder.glob("*.npz")
    assert rows.rows(["bb"], "", Lengths()).tolist() == [[2, 1.5]]
    assert f"{path}: a damaged file, made again (numbers that are nan or infinite)" in caplog.text


def test_the_folder_may_be_deleted(rows):
    encode = Lengths()
    rows.rows(["a"], "", encode)
    for path in rows.folder.iterdir():
        path.unlink()
    rows.folder.rmdir()
    assert rows.rows(["a"], "", encode).tolist() == [[1, 1.5]]


def test_of_two_processes_one_embeds_a_text_and_the_other_waits(tmp_path):
    command = [sys.executable, "-c", ENCODE, str(tmp_path / "encoded"), str(tmp_path / "given")]
    processes = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    given = (tmp_path / "given").read_text().splitlines()
    assert sorted(given) == sorted(f"{number} text" for number in range(30))
