"""Labels of folders, and whether artefacts belong together; damage is in test_integrity."""

import json
import zlib

import pandas as pd
import pytest

from cr5.base import artefacts
from cr5.base.errors import UserError
from cr5.base.labels import BAGS, MODELS, TRAINED, checksum, fingerprint

FILES = {"a.txt": b"one", "below/b.bin": bytes(range(9)), "empty": b""}
SUBJECT, DEPENDS_ON = {"language": "en"}, {"vocabulary of en": "f00"}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "en"
    with artefacts.written(BAGS, folder, SUBJECT, DEPENDS_ON) as temporary:
        (temporary / "below").mkdir()
        for name, content in FILES.items():
            (temporary / name).write_bytes(content)
    return folder


def all_read(folder):
    found = artefacts.opened(BAGS, folder, language="en")
    return {name: found.file(name).read_bytes() for name in FILES}


def test_what_is_whole_is_read(folder):
    assert all_read(folder) == FILES
    (folder / "beside.json").write_text("not of it")
    assert all_read(folder) == FILES


def test_what_it_says_by_hand(folder):
    said = json.loads((folder / "contents.json").read_text())
    assert said["kind"] == "bags of words"
    assert (said["format"], said["subject"], said["depends_on"]) == (1, SUBJECT, DEPENDS_ON)
    expected = {name: [len(x), f"{zlib.crc32(x):08x}"] for name, x in FILES.items()}
    assert said["files"] == expected
    assert zlib.crc32(b"123456789") == 0xCBF43926  # the check value of CRC-32 (ISO-HDLC)


@pytest.mark.parametrize(
    "content", ["[]", "3", '{"files": {}}', '{"files": 3, "checksum": "x"}', "{" * 5000]
)
def test_something_else_in_its_place(folder, content):
    (folder / "contents.json").write_text(content)
    with pytest.raises(UserError, match=rf"^{folder}: "):
        all_read(folder)


def test_labels_of_version_0_1_are_understood(folder):
    path = folder / "contents.json"
    said = json.loads(path.read_text())
    old = {"of": said["subject"], "fits": said["depends_on"]}
    said = {x: y for x, y in said.items() if x not in ("checksum", "subject", "depends_on")} | old
    path.write_text(json.dumps(said | {"checksum": checksum(said)}))
    assert all_read(folder) == FILES
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
