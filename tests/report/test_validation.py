import json

import pytest

from cr5.base import artefacts, origin
from cr5.base.labels import MODELS
from cr5.report.collected import write
from cr5.report.validation import CHOSEN, COLUMNS, dimensions, grids

SOURCE = {"seed": 7, "configuration": "a", "corpus": "c", "code": ["1.0"]}
KEY = {"setting": "joint", "series": "joint", "kind": "joint", "system": "cr5", "repetition": 1}
REPORT = {
    "rank": 20,
    "ridge": 1.0,
    "criterion": "p@1",
    "validation": [
        {"ridge": 1.0, "rank": 20, "p@1": 0.6},
        {"ridge": 1.0, "rank": 10, "p@1": 0.4},
        {"ridge": 0.1, "rank": 20, "p@1": 0.5},
        {"ridge": 0.1, "rank": 10, "p@1": None},
    ],
    "kept": 0,
    "validation_pairs": {"da": {"en": [0.7, 0.4, 0.5, 0.1]}, "en": {"da": [0.5, 0.4, 0.5, 0.1]}},
}


@pytest.fixture
def model(tmp_path):
    def make(name, report):
        (tmp_path / name).mkdir()
        about = {"origin": SOURCE} | ({"fit": report} if report is not None else {"left_out": "x"})
        (tmp_path / name / "fit.json").write_text(json.dumps(about))
        artefacts.seal_folder(tmp_path / name, MODELS.label({}, {}))
        return tmp_path / name

    return make


def test_a_row_per_fit_option_and_pair(model):
    frame = grids([model("a", REPORT)], [KEY | {"task": "documents"}])
    assert list(frame) == COLUMNS
    assert len(frame) == 4 * 2 * 3
    of_first = frame[frame["fit"] == 1]
    assert of_first[["option", "value", "query", "target", "score"]].to_numpy().tolist() == [
        *[["ridge", 1.0, "", "", 0.6], ["ridge", 1.0, "da", "en", 0.7]],
        *[["ridge", 1.0, "en", "da", 0.5], ["rank", 20, "", "", 0.6]],
        *[["rank", 20, "da", "en", 0.7], ["rank", 20, "en", "da", 0.5]],
    ]
    assert of_first["chosen"].all()
    assert not frame.loc[frame["fit"] > 1, "chosen"].any()
    assert frame.loc[(frame["fit"] == 4) & (frame["query"] == ""), "score"].isna().all()


def test_what_chose_nothing_and_what_was_left_out_has_no_row(model):
    folders = [model("a", {"strings": 3}), model("b", None), model("c", REPORT)]
    frame = grids(folders, [KEY | {"system": x} for x in ("lexical_overlap", "x", "cr5")])
    assert set(frame["system"]) == {"cr5"}


def test_the_file_has_whole_numbers_and_its_origin(model, tmp_path):
    folder = model("a", REPORT)
    write({"validation": grids([folder], [KEY])}, tmp_path, origin.from_json(SOURCE))
    lines = (tmp_path / "validation.csv").read_text().splitlines()
    assert lines[1] == "joint,joint,joint,cr5,1,1,ridge,1.0,p@1,,,0.6,True"
    assert lines[4] == "joint,joint,joint,cr5,1,1,rank,20,p@1,,,0.6,True"
    assert origin.read(tmp_path / "validation.json")[0].seed == 7


def test_the_dimension_of_each_fit_chosen_or_given(model):
    reports = [model("a", REPORT), model("b", {"dimension": 7}), model("c", {}), model("d", None)]
    frame = dimensions(reports, [KEY | {"repetition": i} for i in range(4)])
    assert list(frame) == CHOSEN
    assert frame[["repetition", "dimension"]].to_numpy().tolist() == [[0, 20], [1, 7]]
