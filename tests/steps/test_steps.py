"""Steps as data: JSON of all that a result is made with, and a step again from that."""

import json
import warnings

import pytest

from cr5.plan.config import validated
from cr5.plan.in_process import each_after_its_inputs
from cr5.plan.plan import Plan
from cr5.steps.parts import NamedSource, NamedSystem, NamedTask
from tests.kit.run import everything, give_all


def parts(named):
    """The type of a named part, and each name that it has."""
    return [(named, name) for name in named.kind.known()]


@pytest.mark.parametrize(
    ("named_type", "name"), parts(NamedSource) + parts(NamedSystem) + parts(NamedTask), ids=str
)
def test_another_value_of_each_key_of_a_part_is_another_step(named_type, name):
    kind = named_type.kind
    part_type = kind.part_class(name, {kind.key: name})
    part = part_type.model_construct()  # with defaults, if there are any
    named = named_type.model_construct(entry="entry", module=name, code=None, part=part)
    for key in part_type.model_fields:
        value = getattr(part, key, None)
        changed = part.model_copy(update={key: "other" if value == 1 else 1})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the other value need not be valid
            before = named.model_dump(mode="json")
            after = named.model_copy(update={"part": changed}).model_dump(mode="json")
        assert before["part"].get(key) != after["part"][key]


@pytest.fixture
def plan(tmp_path, monkeypatch):
    """The plan of a run with all kinds of settings and tasks, and a system of one's own."""
    give_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    return Plan(validated(everything()), lambda path: f"checksum of {path}")


def test_a_step_made_again_from_its_json_is_the_same(plan):
    kinds = set()
    for path, planned in plan.results.items():
        step = planned.step()
        kind = type(step)
        text = json.dumps(step.as_json())
        step_again = kind.model_validate(json.loads(text))
        assert step_again == step, path
        assert json.dumps(step_again.as_json()) == text
        kinds.add(kind)
    assert len(kinds) >= 12


def test_what_a_result_is_made_of_is_a_result_or_a_file_of_the_user(plan):
    for planned in plan.results.values():
        for paths in planned.inputs().values():
            for path in paths:
                assert path in plan.results or not plan.places.is_result(path)


def test_behind_a_result_is_all_that_it_is_made_of_and_nothing_else(plan):
    ranks = plan.places.ranks.format(setting="joint", system="cr5", repetition=1, task="documents")
    needed = set()
    for path in each_after_its_inputs(plan, [ranks]):
        needed.add(path.removeprefix(f"{plan.places.results}/"))
    assert needed >= {
        "documents/da",
        "documents/en",
        "documents/it",
        "bags/da",
        "bags/en",
        "bags/it",
        "draws/1",
        "settings/joint/1",
        "models/joint/cr5/1",
        "ranks/joint/cr5/1/documents",
    }
    assert not any(path.startswith("vectors/") for path in needed)
