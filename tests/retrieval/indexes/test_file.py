"""index.json: what it may say."""

import json
import math
from pathlib import Path

import pytest

import cr5
from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.models import store

made_up = load_module(Path(__file__).with_name("made_up.py"), "texts")


@pytest.fixture
def index(tmp_path):
    store.save(tmp_path / "m", dict(made_up.models())["dense"], {})
    index = cr5.Index(cr5.load(tmp_path / "m"), tmp_path / "a")
    for language, n in {"en": 20, "it": 30}.items():
        index.add(*made_up.texts(language, n)[:2], language)
    return index


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (["model"], 3),
        (["model", "path"], None),
        (["counter"], "3"),
        (["languages"], []),
        (["languages", "it"], 3),
        (["languages", "it", 0], "000002"),
        (["languages", "it", 0, "name"], "../x"),
        (["languages", "it", 0, "removed"], 5),
        (["languages", "it", 0, "texts"], 2.5),
        (["languages", "it", 0, "dense"], 9),
        (["languages", "it", 0, "texts"], -3),
        (["languages", "it", 0, "sparse"], -1),
        (["languages", "it", 0, "largest"], 0.0),
        (["languages", "it", 0, "largest"], math.nan),
        (["languages", "it", 0, "removed"], "000002"),
        (["languages", "../../x"], []),
        (["counter"], 1),
        (["counter"], -5),
    ],
)
def test_an_index_json_of_other_kinds_is_damaged(index, keys, value):
    path = index.path / "index.json"
    said = inner = json.loads(path.read_text())
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    path.write_text(json.dumps(said))
    with pytest.raises(UserError, match=f"{index.path}.*damaged"):
        cr5.open_index(index.path)


def test_the_same_segment_twice_is_damaged(index):
    path = index.path / "index.json"
    said = json.loads(path.read_text())
    said["languages"]["it"] *= 2
    path.write_text(json.dumps(said))
    with pytest.raises(UserError, match=r"index\.json: damaged \(a segment.* is named twice\)"):
        cr5.open_index(index.path)
