"""Which results a run would replace, by what they say that they were made with."""

import pytest

from cr5.base.artefacts import Job
from cr5.plan.replaced import changed, replaced, told

MODEL = "models/joint/cr5/1"
RANKS = "ranks/joint/cr5/1/documents"
TWO = ["da", "en"]
THREE = ["da", "en", "it"]


def system(**keys):
    """A field of a step that fits `cr5`."""
    return {"system": {"entry": "cr5", "module": "cr5", "code": None, "part": keys}}


def task(**keys):
    """A field of a step of a task."""
    return {"task": {"entry": "documents", "module": "documents", "code": None, "part": keys}}


def nested(place, value):
    """Fields of a step: a value at a place in them, such as `rules.case`."""
    fields = value
    for name in reversed(place.split(".")):
        fields = {name: fields}
    return fields


@pytest.mark.parametrize(
    ("step", "field", "before", "after", "key"),
    [
        ("draws/1", "splits.test", 5, 6, "splits.test"),
        ("draws/1", "languages", THREE, TWO, "languages"),
        ("vectors/da/1", "options.a", 1, 2, "vectors.a"),
        ("bags/da", "rules.n", 1, 2, "bags.n"),
        (MODEL, "rerank", [0], [1], "systems.cr5.rerank"),
        (MODEL, "training.seed", 1, 2, "seed"),
        (MODEL, "training.bags.n", 1, 2, "bags.n"),
        (MODEL, "training.bags.max_words", 1, 2, "bags.max_words"),
        (RANKS, "search.k", 1, 2, "evaluation.k"),
    ],
)
def test_a_value_that_differs_has_the_name_of_its_key(step, field, before, after, key):
    made = nested(field, before)
    settings = nested(field, after)
    assert changed(step, made, settings) == {key: (before, after)}


@pytest.mark.parametrize(
    ("step", "field", "before", "after"),
    [
        ("draws/1", "languages", TWO, THREE),
        ("documents/da", "corpus.part.codes", {}, {"da": "dan"}),
        ("bags/da", "rules.max_words", 1, 2),
        (MODEL, "seeds", ["dictionary"], ["dictionary", "words"]),
        (MODEL, "system.code", "1", "2"),
        (MODEL, "contents", ["1"], ["2"]),
    ],
)
def test_what_adds_and_what_is_no_key_does_not_differ(step, field, before, after):
    made = nested(field, before)
    settings = nested(field, after)
    assert changed(step, made, settings) == {}


@pytest.mark.parametrize(
    ("place", "made", "settings", "differ"),
    [
        ("draws/1", {"seed": 1, "splits": {}}, {"seed": 7, "splits": {}}, {"seed": (1, 7)}),
        (MODEL, system(rank=5), system(rank=6), {"systems.cr5.rank": (5, 6)}),
        (MODEL, system(), system(limit=2), {"systems.cr5.limit": (None, 2)}),
        (RANKS, task(k=1), task(k=2), {"tasks.documents.k": (1, 2)}),
        ("tasks/dictionary/da", task(limit=1), task(limit=2), {"dictionary.limit": (1, 2)}),
        (
            MODEL,
            system(seeds="given", pairs=[1]),
            system(seeds=None, pairs=[1, 2]),
            {"systems.cr5.seeds": ("given", None)},
        ),
        ("draws/1", {"sizes": [1]}, {}, {}),
        ("draws/1", {}, {"of_a_later_version": 1}, {}),
        ("bags/da", {"rules": {}}, {"rules": {"case": "lower"}}, {}),  # likewise, the default
        ("bags/da", {"rules": {}}, {"rules": {"case": "keep"}}, {"bags.case": (None, "keep")}),
    ],
)
def test_what_differs_has_the_name_of_its_key(place, made, settings, differ):
    assert changed(place, made, settings) == differ


@pytest.fixture
def results(tmp_path):
    """Ranks of two systems, made of one draw; those of one were left out."""
    place = tmp_path / "results"
    with Job.reading(place, {"seed": 1}, {}).making(place / "draws/1", "draw"):
        pass
    for system, reason in (("cr5", None), ("other", "no words")):
        ranks = place / "ranks" / "joint" / system / "1" / "documents"
        step_of_input = {place / "draws/1": {"seed": 1}}
        job = Job.reading(place, {"own_module": None}, step_of_input)
        with job.making(ranks, "ranks", reason):
            pass
    return place


def ranks_in(results):
    return [str(path) for path in results.glob("ranks/*/*/*/*")]


def replaced_by(results, ranks, seed):
    """Return what a run with a seed would replace of ranks."""
    step_of = {
        f"{results}/draws/1": {"seed": seed},
        f"{results}/{RANKS}": {"own_module": None},
    }
    return replaced(results, ranks, step_of.get)


def test_ranks_are_replaced_where_anything_behind_them_has_other_settings(results):
    ranks = [*ranks_in(results), f"{results}/ranks/joint/new/1/d"]
    assert len(ranks) == 3
    changes = replaced_by(results, ranks, seed=7)
    assert changes == {"joint/cr5": {"seed": (1, 7)}}
    assert told(changes).endswith("made with other settings:\n  joint/cr5: seed: 1 -> 7")
    assert replaced_by(results, ranks, seed=1) == {}


def test_what_a_replacing_run_left_behind_when_it_was_ended_is_not_what_ranks_were_made_of(results):
    with Job.reading(results, {"seed": 7}, {}).making(results / "draws/1", "draw"):
        pass
    assert replaced_by(results, ranks_in(results), seed=1) == {}


def test_systems_that_share_what_differs_share_a_line():
    changes = {f"joint/{system}": {"seed": (1, 7)} for system in "abcdefg"}
    changes["joint/h"] = {"x": ("a", None)}
    [_, first, second] = told(changes).splitlines()
    assert first == "  joint/a, joint/b, joint/c, joint/d, joint/e, 2 more: seed: 1 -> 7"
    assert second == '  joint/h: x: "a" -> null'
