"""The index.json of an index: its model, and what is told of one that no index wrote."""

import json

import pytest
from safetensors.numpy import load_file, save_file

import cr5
from cr5.base.errors import UserError
from cr5.models import store
from tests.retrieval import made_up

MODELS, model, fill = dict(made_up.models()), made_up.model, made_up.fill
QUERIES = made_up.texts("en", 5, seed=9)[1]


def test_the_model_is_found_again_or_named(tmp_path):
    run = tmp_path / "run"
    fill(cr5.Index(model(run), run / "index"))
    run.rename(tmp_path / "moved")
    index = cr5.open_index(tmp_path / "moved" / "index")  # both moved together
    expected = index.search(QUERIES, "en")
    (tmp_path / "moved" / "models").rename(tmp_path / "elsewhere")
    with pytest.raises(UserError, match=r"its model, .*1, is not there; say where it is now"):
        cr5.open_index(tmp_path / "moved" / "index")
    place = tmp_path / "elsewhere" / "joint" / "dense" / "1"
    assert cr5.open_index(tmp_path / "moved" / "index", place).search(QUERIES, "en") == expected


def test_another_model_is_refused(tmp_path):
    fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    other = model(tmp_path, "sparse")
    for use in (
        lambda: cr5.Index(other, tmp_path / "a"),
        lambda: cr5.open_index(tmp_path / "a", other),
    ):
        with pytest.raises(UserError, match="was built with another model than"):
            use()
    path = tmp_path / "models/joint/dense/1/en.safetensors"
    save_file({x: y + 1 for x, y in load_file(path).items()}, path)
    with pytest.raises(UserError, match="was built with another model than"):
        cr5.open_index(tmp_path / "a")


def test_what_is_no_index(tmp_path):
    with pytest.raises(UserError, match=r"not an index; expected a folder with index\.json"):
        cr5.open_index(tmp_path)
    with pytest.raises(UserError, match=r"but other files \(models\)"):
        fill(cr5.Index(model(tmp_path), tmp_path))


def test_a_path_to_the_model_is_relative_only_within_a_run(tmp_path):
    for run, inside in ((tmp_path / "run", True), (tmp_path, False)):
        place = run / "models" / "joint" / "dense" / "1" if inside else tmp_path / "a" / "b" / "m"
        store.save(place, MODELS["dense"], {})
        index = fill(cr5.Index(cr5.load(place), run / "index"))
        said = json.loads((index.path / "index.json").read_text())["model"]["path"]
        assert said == ("../models/joint/dense/1" if inside else str(place))


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (["model"], 3),
        (["model", "path"], None),
        (["counter"], "3"),
        (["counter"], 1),
        (["languages"], []),
        (["languages", "it"], 3),
        (["languages", "it"], {"../x": 1}),
        (["languages", "it"], {"000002": "1"}),
        (["languages", "it"], {"000001": 1}),
        (["languages", "xx"], {}),
        (["format"], 99),
        ([], "[" * 200_000),
    ],
)
def test_an_index_json_that_no_index_wrote(tmp_path, keys, value):
    fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    path = tmp_path / "a" / "index.json"
    content = inner = json.loads(path.read_text())
    for key in keys[:-1]:
        inner = inner[key]
    if keys:
        inner[keys[-1]] = value
    path.write_text(json.dumps(content) if keys else value)
    with pytest.raises(UserError, match=str(tmp_path / "a")):
        cr5.open_index(tmp_path / "a")
