"""What must be done again when a setting or a file from outside changes, and nothing else."""

from copy import copy
from pathlib import Path

import pytest

from cr5.plan.config import validated
from cr5.plan.made_with import MadeWith
from cr5.systems.maps.closed import Procrustes

BASE = {
    "corpus": {"name": "x", "source": "files", "path": "{language}.jsonl"},
    "languages": ["da", "en", "it"],
    "systems": {
        "cr5": {},
        "cr5_log": {"module": "cr5", "term_frequency": "log"},
        "advrefine": {},
        "procrustes": {},
        "own": {"module": "own.py"},
    },
    "tasks": {"documents": {}, "lexicon_induction": {"dictionaries": "{source}-{target}.txt"}},
    "dictionary": {"dictionaries": "train/{source}-{target}.txt"},
    "settings": {"joint": {}},
}
EVERY = {"cr5", "cr5_log", "advrefine", "procrustes", "own"}
SENTENCES = ("x.da", "x.en", "x.it")
VECTORS = {"advrefine", "procrustes"}


OWN = """from cr5.base.parts import System

class Own(System):
    title = "Mine"
    narrow: int = 3
    wide: int = 4
    def fit(self, training): return self.narrow
"""


@pytest.fixture
def steps(tmp_path, monkeypatch):
    """Give a function from a configuration to what each step is made with."""
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN)
    Path("train").mkdir()
    for name in ("da-en.txt", "train/da-en.txt", "da.vec", "en.vec", "it.vec", *SENTENCES):
        Path(name).write_text("ja yes\n")

    def of(**changes):
        config = validated({**BASE, **changes})
        made = MadeWith(config, lambda path: Path(path).read_text() if path else None)
        found = {f"fit {name}": made.fit("joint", name, 1) for name in config["systems"]}
        found |= {f"rank {name}": made.rank("joint", name) for name in config["tasks"]}
        return found | {"draw": made.draw(1)}

    return of


def changed(before, after):
    """Return the steps that are made with something else; systems' names for their fits."""
    steps = [name for name in before.keys() & after.keys() if before[name] != after[name]]
    return {name.removeprefix("fit ") for name in steps}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"results": "elsewhere"}, set()),
        ({"threads": {"fit": 8}, "memory_mb": 1, "minutes": 1}, set()),
        ({"evaluation": {"examples": {"neighbours": 3}}}, set()),
        (
            {"evaluation": {"measures": ["csls"]}},
            {"rank documents", "rank lexicon_induction"},
        ),
        (
            {"evaluation": {"csls_neighbourhood": "queries"}},
            {"rank documents", "rank lexicon_induction"},
        ),
        (  # models keep documents
            {"evaluation": {"csls_neighbourhood": "training"}},
            {*EVERY, "rank documents", "rank lexicon_induction"},
        ),
        ({"seed": 1}, {"draw", *EVERY}),
        ({"splits": {"test": 7}}, {"draw", *EVERY}),
        ({"bags": {"unique_words": [5, 9]}}, {*EVERY}),
        ({"weighting": {"idf": "none"}}, {*EVERY}),
        ({"weighting": {"term_frequency": "log"}}, EVERY - {"cr5_log"}),
        ({"validation": {"criterion": "p@1"}}, {*EVERY}),
        (
            {"systems": BASE["systems"] | {"cr5": {"validation_task": "lexicon_induction"}}},
            {"cr5"},
        ),
        ({"processor": "own"}, {*EVERY}),
        ({"vectors": {"dimension": 9}}, {*VECTORS}),
        ({"vectors": {"path": "{language}.vec"}}, {*VECTORS}),
        ({"systems": BASE["systems"] | {"cr5": {"rank": 9}}}, {"cr5"}),
        ({"dictionary": BASE["dictionary"] | {"limit": 9}}, {"procrustes"}),
    ],
)
def test_a_setting_changes_what_it_can_and_nothing_else(steps, changes, expected):
    assert changed(steps(), steps(**changes)) == expected


@pytest.mark.parametrize(
    ("file", "changes", "expected"),
    [
        ("train/da-en.txt", {}, {"procrustes"}),
        ("da-en.txt", {}, {"procrustes", "rank lexicon_induction"}),  # words in tests are left out
        ("train/da-en.txt", {"validation": {"task": "lexicon_induction"}}, EVERY),
        (
            "da-en.txt",  # whose words are not asked for
            {"validation": {"task": "lexicon_induction"}},
            {*EVERY, "rank lexicon_induction"},
        ),
        ("da.vec", {"vectors": {"path": "{language}.vec"}}, VECTORS),
        (
            "da.vec",
            {"vectors": {"path": "{language}.vec"}, "bags": {"vocabulary": "vectors"}},
            {*VECTORS, "draw"},
        ),
        ("own.py", {}, {"own"}),
        (
            "x.da",
            {"tasks": {"documents": {}, "sentences": {"path": "x.{language}"}}},
            {"rank sentences"},
        ),
        (
            "x.da",
            {
                "tasks": {"sentences": {"path": "x.{language}", "validation": 9}},
                "validation": {"task": "sentences"},
            },
            {"rank sentences", *EVERY},
        ),
    ],
)
def test_a_file_from_outside_changes_what_reads_it(steps, file, changes, expected):
    before = steps(**changes)
    Path(file).write_text(OWN.replace("3", "5"))
    assert changed(before, steps(**changes)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"Mine"', '"Yours"', set()),
        ("= 3", '= 3\n    """A key."""  # a comment', set()),
        ("= 3", "= 5", {"own"}),  # the default of one key
        ("narrow\n", "wide\n", {"own"}),
    ],
)
def test_of_a_users_own_module_what_has_an_effect_counts(steps, old, new, expected):
    before = steps()
    Path("own.py").write_text(OWN.replace(old, new))
    assert changed(before, steps()) == expected


def test_a_key_and_its_value_belong_together(steps):
    """Swapped between two keys, the values make another fit."""
    both = [BASE["systems"] | {"own": {"module": "own.py", "narrow": a, "wide": 7 - a}}
            for a in (3, 4)]  # fmt: skip
    assert changed(*(steps(systems=each) for each in both)) == {"own"}
    assert changed(steps(), steps(systems=both[0])) == set()


def test_a_default_of_ours_changes_the_fits_of_its_system_alone(steps, monkeypatch):
    before = steps()
    monkeypatch.setitem(Procrustes.model_fields, "rounds", copy(Procrustes.model_fields["rounds"]))
    Procrustes.model_fields["rounds"].default += 1
    Procrustes.model_rebuild(force=True)
    try:
        after = steps()
    finally:
        monkeypatch.undo()
        Procrustes.model_rebuild(force=True)
    assert changed(before, after) == {"procrustes"}


LEARNER = """from typing import ClassVar
from cr5.base.parts import System

class Own(System):
    needs: ClassVar = ("channels",)
    def fit(self, training): ...

"""


def test_channels_are_of_fits_and_vectors_that_read_them(steps):
    Path("own.py").write_text(LEARNER)
    channel = {"documents": "{language}.tsv", "languages": ["en"]}
    for name in ("x.en", "en.tsv"):
        Path(name).write_text("a\tb\n")
    before, after = steps(), steps(channels=channel)
    assert changed(before, after) == {"own"}
    assert after["fit own"]["channels"][1:] == ["a\tb\n"]
    trained = steps(channels=channel | {"train_vectors": True})
    assert changed(before, trained) == {"own", *VECTORS}


def test_repetitions_have_seeds_and_draws_of_their_own(steps):
    config = validated(BASE | {"repetitions": 2})
    for redraw in (True, False):
        config["splits"]["redraw"] = redraw
        made = MadeWith(config, str)
        assert (made.draw(1) != made.draw(2)) == redraw
        assert made.fit("joint", "cr5", 1) != made.fit("joint", "cr5", 2)
