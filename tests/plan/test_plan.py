"""What must be done again when a setting changes, and nothing else."""

from copy import copy
from pathlib import Path

import pytest

from cr5.plan import files
from cr5.plan.config import validated
from cr5.plan.plan import Plan
from cr5.systems.maps.procrustes import Procrustes

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
RANKS = {"rank documents", "rank lexicon_induction"}
SHOWN_IN_ORDER = ("tables", "report", "runs", "explore")
SPLITS = {"draw", "setting", "seen"}
OWN = """from cr5.contracts.system import System

class Own(System):
    title = "Mine"
    narrow: int = 3
    wide: int = 4
    def fit(self, training): return self.narrow
"""


EXAMPLE = {"query_language": "da", "target_language": "en", "document": "hund"}


def planned(config):
    """Plan a run whose files have no checksums."""
    return Plan(config, lambda path: None)


@pytest.fixture
def steps(tmp_path, monkeypatch):
    """Give a function from a configuration to the JSON of each step."""
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN)
    Path("train").mkdir()
    for name in ("da-en.txt", "train/da-en.txt"):
        Path(name).write_text("ja yes\n")

    def steps_with(**changes):
        config = validated({**BASE, **changes})
        plan = planned(config)
        steps_of_plan = {
            "documents": plan.steps.documents("da"),
            "bags": plan.steps.bags("da"),
            "draw": plan.steps.draw(1),
            "setting": plan.steps.setting("joint", 1),
            "vectors": plan.steps.vectors("da", 1),
            "scores": plan.steps.scores(""),
            "seen": plan.steps.seen(),
        }
        for name in config.systems:
            steps_of_plan[name] = plan.steps.fit("joint", name, 1)
        for name in config.tasks:
            steps_of_plan[f"rank {name}"] = plan.steps.rank("joint", "cr5", 1, name)
        for name, place in plan.inputs.pair_files.items():
            if place:
                steps_of_plan[f"tables {name}"] = plan.steps.task_tables(name)
        return {name: step.as_json() for name, step in steps_of_plan.items()}

    return steps_with


def changed(before, after):
    """Return the steps that are made with something else; systems' names for their fits."""
    return {name for name in before.keys() & after.keys() if before[name] != after[name]}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"results": "elsewhere"}, set()),
        ({"threads": {"fit": 8}, "memory_mb": 1, "minutes": 1}, set()),
        ({"evaluation": {"examples": {"neighbours": 3}}}, set()),
        ({"evaluation": {"examples": {"queries": [EXAMPLE]}}}, {"draw", "seen"}),
        ({"evaluation": {"measures": ["csls"]}}, RANKS),
        ({"evaluation": {"csls_neighbourhood": "queries"}}, RANKS),
        # models keep documents
        ({"evaluation": {"csls_neighbourhood": "training"}}, EVERY | RANKS),
        ({"evaluation": {"curve": 7}}, {"scores"}),
        ({"seed": 1}, SPLITS | EVERY | RANKS | {"vectors", "scores"}),
        ({"splits": {"test": 7}}, SPLITS),
        ({"splits": {"duplicates": "together"}}, SPLITS),
        ({"bags": {"unique_words": [5, 9]}}, EVERY | {"bags"}),
        ({"bags": {"max_words": 9}}, EVERY),  # which choose their words
        ({"bags": {"case": "keep"}},
         EVERY | {"bags", "vectors", "tables dictionary", "tables lexicon_induction"}),
        ({"weighting": {"idf": "none"}}, EVERY),
        ({"weighting": {"term_frequency": "log"}}, EVERY - {"cr5_log"}),
        ({"validation": {"criterion": "p@1"}}, EVERY),
        ({"systems": BASE["systems"] | {"cr5": {"validation_task": "lexicon_induction"}}}, {"cr5"}),
        ({"processor": "own"}, EVERY | {"vectors"}),
        ({"vectors": {"dimension": 9}}, {"vectors"}),
        ({"systems": BASE["systems"] | {"cr5": {"rank": 9}}}, {"cr5"}),
        ({"dictionary": BASE["dictionary"] | {"limit": 9}}, {"tables dictionary"}),
    ],
)  # fmt: skip
def test_a_setting_changes_what_it_can_and_nothing_else(steps, changes, expected):
    assert changed(steps(), steps(**changes)) == expected


def test_a_key_and_its_value_belong_together(steps):
    """Swapped between two keys, the values make another fit."""
    by_default = {"own": {"module": "own.py", "narrow": 3, "wide": 4}}
    swapped = {"own": {"module": "own.py", "narrow": 4, "wide": 3}}
    steps_by_default = steps(systems=BASE["systems"] | by_default)
    assert changed(steps(), steps_by_default) == set()
    assert changed(steps_by_default, steps(systems=BASE["systems"] | swapped)) == {"own"}


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


def test_repetitions_have_seeds_and_draws_of_their_own(steps):
    for redraw in (True, False):
        plan = planned(validated(BASE | {"repetitions": 2, "splits": {"redraw": redraw}}))
        assert (plan.steps.draw(1) != plan.steps.draw(2)) == redraw
        assert (
            plan.steps.fit("joint", "cr5", 1).training.seed
            != plan.steps.fit("joint", "cr5", 2).training.seed
        )


def test_a_corpus_s_path_is_given_to_snakemake_as_it_likes_it(configured):
    corpus = {"name": "x", "source": "files", "path": "./texts//{language}.jsonl"}
    assert files.texts_of_corpus(configured(corpus=corpus), "da") == ["texts/da.jsonl"]


def spelt(da, en, it):
    sentences = {"path": "{first}-{second}.{language}", "pairs": [f"{en}-{it}"], "codes": {it: "i"}}
    classes = {"path": "x.{language}.{part}", "labelled": [en], "codes": {it: "x"}}
    keys = {
        **BASE,
        "languages": [da, en, it],
        "systems": {
            "procrustes": {"pivot": en},
            "rcsls": {"choose_centre": [it]},
            "word_by_word": {},
        },
        "tasks": {"documents": {}, "classification": classes},
        "alignments": {"aligner": "eflomal", "sentences": sentences},
        "settings": {
            "joint": {"languages": [da, it, en]},
            "pairwise": {"pairs": [f"{it}-{en}", [da, it]], "systems": ["word_by_word"]},
        },
        "channels": {"documents": "a", "languages": [it]},
        "evaluation": {"examples": {"titles": en}},
    }
    return validated(keys)


def in_order(languages, tasks, codes, parts, split):
    """Keys whose order means nothing, in some order."""
    options = {
        "classification": {"path": "{language}.{part}", "parts": parts, "codes": codes},
        "sentences": {"path": "{language}.txt", "codes": codes, "idf": "own"},
    }
    return {
        "languages": languages,
        "corpus": BASE["corpus"] | {"codes": codes},
        "systems": {"cr5": {}},
        "tasks": {"documents": {}} | {task: options[task] for task in tasks},
        "splits": {"given": split},
        "settings": {"joint": {}, "pairwise": {"pairs": [languages[:2]]}},
    }


def test_no_order_changes_a_step():
    """Snakemake compares steps as text."""
    languages = ["da", "en"]
    tasks = ["classification", "sentences"]
    codes = {"da": "a", "en": "b"}
    parts = {"labelled": "x", "test": "y"}
    split = {"test": ["c"], "validation": ["d"]}
    keys = in_order(languages, tasks, codes, parts, split)
    ordered = planned(validated(keys))
    mappings = map(backwards, (codes, parts, split))
    reversed_keys = in_order(languages[::-1], tasks[::-1], *mappings)
    turned = planned(validated(reversed_keys))
    assert turned.results.keys() == ordered.results.keys()
    for path, result in ordered.results.items():
        if not any(name in path for name in SHOWN_IN_ORDER):
            assert str(turned.results[path].step().as_json()) == str(result.step().as_json())
            assert turned.results[path].inputs() == result.inputs()


def backwards(mapping):
    return dict(reversed(mapping.items()))


def test_how_a_code_is_written_changes_no_step():
    written = spelt("da", "EN", "it-Latn")
    folded = spelt("da", "en", "it_latn")
    assert written.plain() == folded.plain()
    assert written.languages == ["da", "en", "it_latn"]
    assert written.written == {"da": "da", "en": "EN", "it_latn": "it-Latn"}
    assert list(written.setting_by_name) == ["joint", "pairwise_en-it_latn", "pairwise_da-it_latn"]
    assert written.alignments.sentences.pairs == ("en-it_latn",)
    assert written.alignments.sentences.codes == {"it_latn": "i"}


def test_other_files_of_a_source_of_one_s_own_are_inputs_too(configured, folder):
    Path("own.py").write_text(
        "from cr5.contracts.keys import File\nfrom cr5.contracts.source import Source\n\n"
        "class Own(Source):\n    path: File\n"
        '    titles: File = "titles.{language}"\n    names: File = "https://x.org/y"\n'
        "\n    def records(self, reading): ...\n"
    )
    corpus = {"name": "x", "source": "own.py", "path": "texts"}
    assert files.further_files_of_source(configured(corpus=corpus), "da") == ["titles.da"]
