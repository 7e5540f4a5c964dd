"""Vectors, models and configurations that claim too much, never end, or expand."""

import io
import json
import struct
import zipfile

import numpy as np
import pytest

from benchmarks.readers.models import ROWS, WORD2VEC, WORDS, fasttext, packed_parts
from cr5.base import limits
from cr5.base.errors import UserError
from cr5.fitting import given_vectors
from cr5.models.formats import packed, registry
from cr5.plan import config, config_files


@pytest.fixture
def read(tmp_path):
    """Write a file, and read it."""

    def read(reader, name, content):
        (tmp_path / name).write_bytes(content)
        return reader(tmp_path / name)

    return read


def vectors(path):
    return given_vectors.read(path, 100)


@pytest.mark.parametrize("name", ["x.vec", "x.bin"])
@pytest.mark.parametrize(
    "header",
    [
        b"1000000000000 2",
        b"1 1000000000000",
        b"1 0",
        b"1 " + b"9" * 5000,
    ],
)
def test_headers_of_vectors_that_claim_too_much(read, name, header):
    row = b" 1 2\n" if name == "x.vec" else b" " + struct.pack("<2f", 1, 2)
    with pytest.raises(UserError, match=name):
        read(vectors, name, header + b"\nhus" + row)


def test_long_vectors_take_no_more_room_than_they_have(read):
    row = " ".join(["1"] * limits.NUMBERS)
    assert read(vectors, "x.vec", f"hus {row}\n".encode())[1].shape == (1, limits.NUMBERS)


def test_what_fasttext_writes_is_read(read):
    words, rows = read(vectors, "x.bin", fasttext(WORDS, ROWS))
    assert words == WORDS
    np.testing.assert_array_equal(rows, ROWS)


def test_fasttext_s_form_cut_off_anywhere_ends(read):
    """gensim's reader waits for ever for the end of a word that is cut off."""
    whole = fasttext(WORDS, ROWS)
    matrix = 17 + ROWS.nbytes  # a second one follows, which is not read
    for end in range(4, len(whole) - matrix):
        with pytest.raises(UserError, match=r"x\.bin: expected vectors as fastText saves them"):
            read(vectors, "x.bin", whole[:end])


@pytest.mark.parametrize(
    ("place", "number"),
    [
        (2, 1 << 30),
        (2, 3),
        (10, 1 << 30),
        (12, 1 << 20),
        (12, 6),
        (16, 1 << 30),
    ],
)
def test_numbers_in_fasttext_s_form_that_do_not_fit(read, place, number):
    data = bytearray(fasttext(WORDS, ROWS))
    struct.pack_into("<i", data, 4 * place, number)
    with pytest.raises(UserError, match=r"x\.bin"):
        read(vectors, "x.bin", bytes(data))


def header_of(shape, kind="<f4"):
    content = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    content += b" " * (-(len(content) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(content)) + content


def packed_with(changed):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in {**packed_parts(), **changed}.items():
            file.writestr(name, content)
    return data.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        header_of((10**12, 2)),
        header_of((-1, 2)),
        header_of((1, 2), "<U2") + bytes(16),
        header_of((2, 1), "<M8[s]") + bytes(16),
        b"\x93NUMPY\x01\x00\x06\x00{'a':\n",
        b"\x93NUMPY\x01\x00\x60\x27" + b"(" * 9999 + b"\n",
    ],
)
def test_arrays_of_a_packed_model_that_claim_too_much(read, content):
    with pytest.raises(UserError, match=r"x\.cr5"):
        read(packed.read, "x.cr5", packed_with({"tables.da.npy": content}))


def test_a_packed_model_that_unpacks_without_end(read, monkeypatch):
    monkeypatch.setattr(packed, "ROOM", 1 << 18)
    data = packed_with({"more.npy": header_of((1 << 20,), "|u1") + bytes(1 << 20)})
    with pytest.raises(UserError, match=r"x\.cr5.*\d+ bytes unpack to \d+, over 100 times"):
        read(packed.read, "x.cr5", data)


def test_a_packed_model_with_a_part_twice(read):
    data = io.BytesIO(packed_with({}))
    with zipfile.ZipFile(data, "a") as file, pytest.warns(UserWarning, match="Duplicate name"):
        file.writestr("model.json", "{}")
    with pytest.raises(UserError, match=r"x\.cr5.*model\.json is in it twice"):
        read(packed.read, "x.cr5", data.getvalue())


@pytest.mark.parametrize(
    "content",
    [b"[" * 50_000, b'{"format": 1, "class": "WordTables", "fields": {"words": []}}', b"3"],
)
def test_descriptions_of_a_packed_model_of_another_form(read, content):
    with pytest.raises(UserError, match=r"x\.cr5: not a whole packed model"):
        read(packed.read, "x.cr5", packed_with({"model.json": content}))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("languages", ["../da"]),
        ("languages", [["da"]]),
        ("languages", ["da", "da"]),
        ("languages", []),
        ("name", "../../x"),
        ("dimension", 10**12),
        ("dimension", -2),
        ("offsets", {"da": [[1], 2]}),
        ("offsets", {"da": ["x", "y"]}),
        ("settings", {"measures": [[]]}),
        ("format", [[]]),
    ],
)
def test_what_lies_beside_exported_vectors(tmp_path, key, value):
    for name, content in WORD2VEC.items():
        (tmp_path / name).write_bytes(content)
    told = json.loads(WORD2VEC["cr5.json"])
    (tmp_path / "cr5.json").write_text(json.dumps({**told, key: value}))
    with pytest.raises(UserError, match=r"cr5\.json"):
        registry.read(tmp_path)


def laughs(levels):
    """Lists of ten times the one before, in a few lines."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for i in range(1, levels):
        lines.append(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]")
    return "\n".join(lines).encode() + b"\n"


def merges(levels):
    lines = ["a0: &a0 {x: 1}"]
    for i in range(1, levels):
        lines.append(f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 10)}]}}")
    return "\n".join(lines).encode() + b"\n"


@pytest.mark.parametrize("content", [laughs(30), merges(30)])
def test_what_is_repeated_in_a_configuration_counts_each_time(read, content):
    with pytest.raises(UserError, match=f"x.yaml.*{limits.VALUES}"):
        read(config_files.read, "x.yaml", content)


@pytest.mark.parametrize("mistaken", [{"a": "x\ud800"}, {"a": [{"\udfff": 1}]}, {"\ud800": 1}])
def test_half_a_character_in_a_configuration(mistaken):
    with pytest.raises(UserError, match=r"a text that cannot be kept: .*ud[8f]"):
        config.validated(mistaken)
