"""What jobs pass on: whatever happens to a bit of it, or to its end, is noticed when it is read."""

import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cr5.base import artefacts, csv_files, origin, sealed_json
from cr5.base.errors import UserError
from cr5.base.labels import BAGS, DOCUMENTS, DRAWS, VECTORS, Kind
from cr5.base.origin import Origin
from cr5.base.tables import load_csv

FILES = {"a.txt": b"one", "below/b.bin": bytes(range(9)), "empty": b""}
SOURCE = Origin(1, "a", "b", ("1",))
SUBJECT, DEPENDS_ON = {"language": "en"}, {"vocabulary of en": "f00"}


CONTENT = {"files": [{"name": "å", "bytes": 3}], "share": 0.1, "none": None, "pair": (1, 2)}
FRAME = pd.DataFrame({"concept": ["Q1", "Q2", "đ"], "n": [1, 2, 3]})


def write_folder(path):
    with artefacts.written(BAGS, path, SUBJECT, DEPENDS_ON) as temporary:
        (temporary / "below").mkdir()
        for name, content in FILES.items():
            (temporary / name).write_bytes(content)


def read_folder(path):
    found = artefacts.opened(BAGS, path, language="en")
    return {name: found.file(name).read_bytes() for name in FILES}


def write_parquet(path):
    table = pa.table({name: list(column) for name, column in FRAME.items()})
    with artefacts.written(DOCUMENTS, path, SUBJECT, DEPENDS_ON) as temporary:
        pq.write_table(table, temporary, store_schema=False)  # small: every bit of it is tried


def read_parquet(path):
    label = artefacts.checked(DOCUMENTS, path, language="en")
    assert (label.kind, label.subject, label.depends_on) == ("documents", SUBJECT, DEPENDS_ON)
    return pd.read_parquet(path).to_csv()


def write_csv(path):
    path.write_text("language,value\nnan,1\nđ,\n", encoding="utf-8")
    csv_files.describe(path, SOURCE, left_out=["x"])


FORMS = {
    "bags": (write_folder, read_folder, [*FILES, artefacts.NAME]),
    "en.parquet": (write_parquet, read_parquet, [""]),
    "scores.csv": (write_csv, lambda path: load_csv(path).to_csv(), [""]),
    "notes.json": (lambda path: sealed_json.write(path, CONTENT), sealed_json.read, [""]),
}


@pytest.fixture(params=[(name, file) for name, (_, _, files) in FORMS.items() for file in files])
def form(request, tmp_path):
    """What was written; the file of it that changes; and how all of it is read."""
    name, file = request.param
    write, read, _ = FORMS[name]
    write(tmp_path / name)
    return tmp_path / name, tmp_path / name / file if file else tmp_path / name, read


def noticed(owner, path, read):
    """What is said of it; None where it is read."""
    try:
        read(owner)
    except UserError as error:
        assert str(error).startswith((f"{path}: ", f"{owner}: "))
        assert str(error).endswith(f"; remove {owner} and run again")
        return str(error)
    return None


def same(content, changed):
    """Whether both are one JSON: white space that became other white space."""
    try:
        return json.loads(content) == json.loads(changed)
    except ValueError:
        return False


def test_every_bit_that_flips_is_noticed(form):
    owner, path, read = form
    content, expected = path.read_bytes(), read(owner)
    with path.open("r+b", buffering=0) as file:
        for place, byte in enumerate(content):
            for bit in range(8):
                changed = bytes([byte ^ 1 << bit])
                file.seek(place)
                file.write(changed)
                if not noticed(owner, path, read):
                    assert path.suffix == ".json"
                    assert same(content, content[:place] + changed + content[place + 1 :])
            file.seek(place)
            file.write(bytes([byte]))
    assert read(owner) == expected  # the loop looked at what it should


def test_every_end_that_is_cut_off_or_added_is_noticed(form):
    owner, path, read = form
    content = path.read_bytes()
    for size in range(len(content) - (path.suffix == ".json")):  # whose last line end may lack
        path.write_bytes(content[:size])
        said = noticed(owner, path, read)
        assert said
        if owner.name == "scores.csv" or (owner.is_dir() and path.suffix != ".json"):
            assert f"{path}: cut off: expected {len(content)} bytes, found {size}" in said
    for more in (b"\0", content or b"x"):
        path.write_bytes(content + more)
        assert noticed(owner, path, read)
    path.unlink()
    assert noticed(owner, path, read)


@pytest.mark.parametrize("name", ["bags", "en.parquet"])
@pytest.mark.parametrize(
    ("other", "subject", "message"),
    [
        ({"bags": DRAWS, "en.parquet": VECTORS}, {}, "expected {other}, found {own}"),
        ({}, {"language": "it"}, "expected {own} of language 'it', found language 'en'"),
        (
            {"bags": Kind("bags of words", 2), "en.parquet": Kind("documents", 2)},
            {},
            "made by another version of cr5: expected {own} of format 2, found format 1",
        ),
    ],
)
def test_another_kind_language_or_format(tmp_path, name, other, subject, message):
    own, read = (BAGS, artefacts.opened) if name == "bags" else (DOCUMENTS, artefacts.checked)
    path, kind = tmp_path / name, other.get(name, own)
    FORMS[name][0](path)
    with pytest.raises(UserError) as error:
        read(kind, path, **subject)
    said = message.format(own=own.name, other=kind.name)
    assert str(error.value) == f"{path}: {said}; remove {path} and run again"


@pytest.mark.parametrize(
    ("kind", "read", "what"),
    [
        (BAGS, artefacts.opened, "no such folder; expected bags of words"),
        (DOCUMENTS, artefacts.checked, "no such file; expected documents"),
    ],
)
def test_what_is_not_there(tmp_path, kind, read, what):
    with pytest.raises(UserError, match=rf"none: {what}; remove"):
        read(kind, tmp_path / "none")


@pytest.mark.parametrize("name", FORMS)
def test_written_twice_the_same_bytes(tmp_path, name):
    written = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        FORMS[name][0](folder / name)
        files = sorted(x for x in folder.rglob("*") if x.is_file())
        written.append([(x.relative_to(folder), x.read_bytes()) for x in files])
    assert written[0] == written[1]


def test_others_read_what_is_labelled_as_any_parquet_file(tmp_path):
    path = tmp_path / "en.parquet"
    write_parquet(path)
    pd.testing.assert_frame_equal(pd.read_parquet(path), FRAME)
    assert pq.ParquetFile(path).metadata.num_rows == 3
    FRAME.to_parquet(path, index=False)
    with pytest.raises(UserError, match=r"en\.parquet: "):
        artefacts.checked(DOCUMENTS, path)


def test_a_csv_file_and_what_its_json_file_says(tmp_path):
    path = tmp_path / "scores.csv"
    write_csv(path)
    assert load_csv(path)["language"].tolist() == ["nan", "đ"]
    source, more = origin.read(path.with_suffix(".json"))
    assert (source, more["left_out"]) == (SOURCE, ["x"])
    origin.write(path.with_suffix(".json"), SOURCE)
    with pytest.raises(UserError, match=r"scores\.json beside says nothing of it; remove"):
        load_csv(path)
    path.with_suffix(".json").unlink()
    with pytest.raises(UserError, match=r"scores\.json: "):
        load_csv(path)


def test_a_json_file_is_read_as_it_was_written(tmp_path):
    sealed_json.write(tmp_path / "a.json", CONTENT)
    assert sealed_json.read(tmp_path / "a.json") == CONTENT | {"pair": [1, 2]}
    assert json.loads((tmp_path / "a.json").read_text())["share"] == 0.1
