from dataclasses import replace

import pytest

from cr5.base import artefacts, origin
from cr5.base.errors import UserError
from cr5.base.labels import BAGS

A = origin.Origin(7, "a", "corpus", ("1.0",))
B = origin.Origin(7, "b", "corpus", ("0.9",))


@pytest.fixture(autouse=True)
def version(monkeypatch):
    monkeypatch.setattr(origin, "code", lambda: "1.0")


def test_a_chain_keeps_seed_and_corpus_and_adds_settings():
    begun = origin.first(7, {"test": 5}, {"da": "x", "en": "y"})
    assert begun.seed == 7
    fitted = begun.then({"rank": 300})
    assert (fitted.seed, fitted.corpus) == (7, begun.corpus)
    assert len({begun.configuration, fitted.configuration}) == 2
    assert fitted.configuration != begun.then({"rank": 200}).configuration
    assert fitted == begun.then({"rank": 300})


def test_the_checksum_is_of_content_not_of_the_order_of_keys():
    assert origin.checksum({"a": 1, "b": [2]}) == origin.checksum({"b": (2,), "a": 1})
    assert origin.checksum({"a": 1}) != origin.checksum({"a": 2})


def test_joined_in_any_order_and_with_doubles_is_the_same():
    assert origin.joined([A, B]) == origin.joined([B, A, A])
    assert origin.joined([A, B]).code == ("0.9", "1.0")
    assert origin.joined([A, B]).configuration != origin.joined([A]).configuration


@pytest.mark.parametrize(
    "other", [origin.Origin(99, "a", "corpus", ()), origin.Origin(7, "a", "another", ())]
)
def test_different_seeds_or_corpora_are_not_mixed(other):
    with pytest.raises(UserError, match=r"different runs would be mixed .*seed 7, corpus corpus"):
        origin.joined([A, other])


def test_written_beside_a_result_and_read(tmp_path):
    origin.write(tmp_path / "table.json", A, left_out=["x"])
    assert origin.read(tmp_path / "table.json") == (A, {"left_out": ["x"]})


def test_read_from_the_label_of_a_folder(tmp_path):
    with artefacts.written(BAGS, tmp_path / "a", origin=origin.as_json(A)):
        pass
    assert origin.read(tmp_path / "a") == (A, {})
    with artefacts.written(BAGS, tmp_path / "b"):
        pass
    with pytest.raises(UserError, match=r"/b: does not say where its result comes .* remove .*/b"):
        origin.read(tmp_path / "b")


def test_processors_of_which_all_was_used_are_told(tmp_path):
    """A reader of a table cannot know from the checksum of the configuration."""
    own = replace(A, own=("SkylakeX",))
    joined = origin.joined([own, B, replace(B, own=("Zen",))]).then({"k": 1})
    assert joined.own == ("SkylakeX", "Zen")
    assert str(joined).endswith("1.0, all of a processor used (SkylakeX and Zen)")
    for each in (joined, A):
        origin.write(tmp_path / "table.json", each)
        assert origin.read(tmp_path / "table.json") == (each, {})
        assert ("own" in (tmp_path / "table.json").read_text()) == bool(each.own)


def test_results_of_different_runs_are_named(tmp_path):
    for name, source in {"a": A, "b": B, "c": origin.Origin(99, "a", "corpus", ())}.items():
        origin.write(tmp_path / f"{name}.json", source)
    a, b, c = (tmp_path / f"{name}.json" for name in "abc")
    assert origin.of_all([a, b]) == origin.joined([A, B])
    with pytest.raises(UserError) as raised:
        origin.of_all([a, b, c])
    assert str(raised.value).startswith(f"{a} and {c} do not belong together")
    assert "Remove the one that is of another run, or both, and run again." in str(raised.value)


def ranks(folder, **changes):
    path = folder / f"{len(list(folder.iterdir()))}.json"
    origin.write(path, replace(A, **changes))
    return path


def test_what_a_run_makes_names_its_configuration(tmp_path):
    """Steps of a chain, as their jobs add them one by one, come to the same."""
    begun = origin.first(7, ["drawn"], "corpus").then(["fitted"]).then(["ranked"])
    expected = origin.chained(["drawn"], ["fitted"], ["ranked"])
    assert begun.configuration == expected
    paths = {ranks(tmp_path, configuration=x): x for x in (expected, "other")}
    source = origin.of_run(paths, "whole")
    assert source == replace(A, configuration="whole")


def test_what_other_settings_made_is_refused(tmp_path):
    path = ranks(tmp_path, configuration="old")
    said = rf"^{path}: made with other settings .*old, expected new\); remove {path} and run again"
    with pytest.raises(UserError, match=said):
        origin.of_run({path: "new"}, "whole")


def test_what_is_made_of_a_run_may_have_parts_of_any_configuration_but_one_seed(tmp_path):
    scores, draw = ranks(tmp_path, configuration="whole"), ranks(tmp_path)
    source = origin.of_run({scores: "whole", draw: None}, "whole")
    assert source == replace(A, configuration="whole")
    other = ranks(tmp_path, seed=99)
    with pytest.raises(UserError, match="do not belong together"):
        origin.of_run({scores: "whole", other: None}, "whole")
