import pytest
from cr5.plan.mistakes import MistakesError
from cr5.plan.options import needs_of, unmet_needs, with_defaults


@pytest.fixture
def module(tmp_path):
    def write(text):
        path = tmp_path / "mine.py"
        path.write_text(text)
        return {"module": str(path)}

    return write


def mistakes(section, modules):
    with pytest.raises(MistakesError) as caught:
        with_defaults(section, modules)
    return caught.value.sentences


def test_options_are_filled_in_from_the_literal_of_the_module(module):
    mine = module("import not_installed\nOPTIONS = {'rank': 3, 'pivot': None}\n")
    found = with_defaults("systems", {"mine": {**mine, "rank": 5}})
    assert found == {"mine": {**mine, "rank": 5, "pivot": None}}
    assert with_defaults("tasks", {"documents": {}, "again": {"module": "documents"}}).keys() == {
        "documents",
        "again",
    }


@pytest.mark.parametrize(
    ("default", "value", "fits"),
    [
        ("300", 5, True),
        ("300", 2.5, False),
        ("300", True, False),
        ("300", "5", False),
        ("0.5", 5, True),
        ("True", False, True),
        ("True", 1, False),
        ("None", {"any": "thing"}, True),
        ("'paper'", "code", True),
        ("'paper'", 0.01, True),
        ("'paper'", "1e-6", False),
        ("[0.1, 1.0]", [2], True),
        ("([0.1], '')", [2], True),
        ("[0.1, 1.0]", [], True),
        ("[0.1, 1.0]", ["x"], False),
        ("[0.1, 1.0]", 2, False),
        ("[]", ["x"], True),
        ("([], '{language}', '')", [], True),
        ("{'a': 1}", {"b": 2}, True),
        ("{'a': 1}", 2, False),
    ],
)
def test_a_value_must_be_of_the_kind_of_the_default(module, default, value, fits):
    mine = module(f"OPTIONS = {{'option': {default}}}\n")
    given = {"mine": {**mine, "option": value}}
    if fits:
        assert with_defaults("systems", given) == given
    else:
        assert [x.split(": ")[0] for x in mistakes("systems", given)] == ["systems.mine.option"]


def test_a_second_stage_may_be_asked_of_every_system(module):
    mine = module("OPTIONS = {'rank': 3}\n") | {"rerank": [0, 0.5]}
    assert with_defaults("systems", {"mine": mine}) == {"mine": {**mine, "rank": 3}}
    assert "rerank" not in with_defaults("systems", {"cr5": {}})["cr5"]


def test_mistakes_of_all_modules_are_found_at_once(module):
    mine = module("OPTIONS = {'rank': 3}\n")
    given = {"mine": {**mine, "rnak": 1}, "a-b": {}, "text": "x", "other": {"module": 3}}
    found = [x.split(": ")[0] for x in mistakes("tasks", given)]
    assert found == ["tasks.mine.rnak", "tasks.a-b", "tasks.text", "tasks.other.module"]


@pytest.mark.parametrize(
    ("source", "needed"),
    [
        ("", ()),
        ("NEEDS = ()", ()),
        ("NEEDS = ('vectors',)", ("vectors",)),
        ("NEEDS = ('alignments', 'vectors')", ("alignments", "vectors")),
    ],
)
def test_what_a_system_needs(module, source, needed):
    assert needs_of("mine", module(source)) == needed


def test_alignments_must_be_configured_where_they_are_needed(module):
    systems = {"mine": module("NEEDS = ('alignments', 'vectors')")}
    assert not [*unmet_needs(systems, {"alignments": True})]
    assert not [*unmet_needs(systems, {})]  # a mistake of its own, which is told already
    [said] = unmet_needs(systems, {"alignments": False})
    assert said.startswith("systems.mine: needs word translation tables; give")


def test_a_dictionary_must_be_configured_where_a_system_begins_with_one(module):
    mine = module("NEEDS = ('seeds',)")
    assert not [*unmet_needs({"mine": {**mine, "seeds": "identical"}}, {"dictionary": False})]
    for option, value, remedy in (
        ("seeds", "dictionary", "give `dictionary: {dict"),
        ("dictionary_weights", [1.0], ", or leave this option out"),
    ):
        learns = {"mine": {**mine, option: value}}
        assert not [*unmet_needs(learns, {"dictionary": True})]
        [said] = unmet_needs(learns, {"dictionary": False})
        assert said.startswith(f"systems.mine.{option}: ") and remedy in said
