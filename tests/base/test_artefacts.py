"""What jobs pass on: what it says, what belongs together, and that each bit of it is looked at."""

import json
import zlib

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cr5.base import artefacts, csv_files, origin, sealed_json
from cr5.base.errors import UserError
from cr5.base.labels import (
    BAGS,
    DOCUMENTS,
    DRAWS,
    MODELS,
    TRAINED,
    VECTORS,
    Kind,
    checksum,
    fingerprint,
)
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


def test_every_bit_that_flips_and_every_other_end_is_noticed(form):
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
    for changed in (content[:-2] or None, content + b"\0"):
        path.unlink() if changed is None else path.write_bytes(changed)
        assert noticed(owner, path, read)


@pytest.mark.parametrize(
    ("name", "kind", "subject", "said"),
    [
        ("bags", DRAWS, {}, f"expected {DRAWS.name}, found {BAGS.name}"),
        ("bags", BAGS, {"language": "it"}, "of language 'it', found language 'en'"),
        ("bags", Kind(BAGS.name, 2), {}, "another version of cr5: expected .* 2, found format 1"),
        ("en.parquet", VECTORS, {}, f"expected {VECTORS.name}, found {DOCUMENTS.name}"),
        ("en.parquet", DOCUMENTS, {"language": "it"}, "of language 'it', found language 'en'"),
    ],
)
def test_another_kind_language_or_format(tmp_path, name, kind, subject, said):
    path, read = tmp_path / name, artefacts.opened if name == "bags" else artefacts.checked
    FORMS[name][0](path)
    with pytest.raises(UserError, match=f"^{path}: .*{said}; remove {path} and run again$"):
        read(kind, path, **subject)


@pytest.mark.parametrize(
    ("kind", "read", "what"),
    [(BAGS, artefacts.opened, "no such folder"), (DOCUMENTS, artefacts.checked, "no such file")],
)
def test_what_is_not_there(tmp_path, kind, read, what):
    with pytest.raises(UserError, match=f"none: {what}; expected {kind.name}; remove"):
        read(kind, tmp_path / "none")


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


@pytest.fixture
def folder(tmp_path):
    write_folder(tmp_path / "en")
    return tmp_path / "en"


def test_what_it_says_by_hand(folder):
    said = json.loads((folder / "contents.json").read_text())
    assert said["kind"] == "bags of words"
    assert (said["format"], said["subject"], said["depends_on"]) == (1, SUBJECT, DEPENDS_ON)
    expected = {name: [len(x), f"{zlib.crc32(x):08x}"] for name, x in FILES.items()}
    assert said["files"] == expected
    assert zlib.crc32(b"123456789") == 0xCBF43926  # the check value of CRC-32 (ISO-HDLC)


def test_labels_of_version_0_1_are_understood(folder):
    path = folder / "contents.json"
    said = json.loads(path.read_text())
    old = {"of": said["subject"], "fits": said["depends_on"]}
    said = {x: y for x, y in said.items() if x not in ("checksum", "subject", "depends_on")} | old
    path.write_text(json.dumps(said | {"checksum": checksum(said)}))
    assert read_folder(folder) == FILES
    assert artefacts.label_of(folder).depends_on == DEPENDS_ON


@pytest.fixture
def made(tmp_path):
    def make(name, kind, **depends_on):
        if kind is TRAINED:
            with artefacts.written(kind, tmp_path / name, depends_on=depends_on) as path:
                pd.DataFrame({"concept": ["a"]}).to_parquet(path)
        else:
            with artefacts.written(kind, tmp_path / name, depends_on=depends_on):
                pass
        return tmp_path / name

    return make


def test_what_all_of_them_depend_on(made):
    paths = [made("m", MODELS, v="1"), made("b", BAGS, v="1", d="2"), made("t", TRAINED, draw="3")]
    assert artefacts.check_consistent(paths) == {"d": "2", "draw": "3", "v": "1"}
    assert artefacts.check_consistent([]) == {}


def test_two_that_were_not_made_of_each_other(made):
    paths = [made("b", BAGS, v="1"), made("t", TRAINED, draw="3"), made("m", MODELS, v="2")]
    message = f"{paths[0]} and {paths[2]} do not belong together: the v of one is not that of the"
    with pytest.raises(UserError, match=message) as error:
        artefacts.check_consistent(paths)
    assert "Remove the one that is of another run, or both, and run again" in str(error.value)
    assert artefacts.check_consistent(paths, but=["v"]) == {"draw": "3"}


def test_fingerprints_of_texts_in_their_order():
    every = [["a", "b"], ["b", "a"], ["ab"], ["a", "b", ""], ["a,b"], ['a", "b'], []]
    assert len({fingerprint(x) for x in every}) == len(every)
    assert fingerprint(iter(["a", "b"])) == fingerprint(pd.Series(["a", "b"]))
