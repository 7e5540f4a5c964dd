import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from cr5.base.options import complete
from cr5.systems import advrefine as system

CONFIGURATIONS = sorted((Path(__file__).parents[2] / "config").rglob("*.yaml"))
OPTIONS = {"epochs": 2, "samples": 320, "batch": 8, "hidden": 16, "starts": 2, "rounds": 2}


@pytest.fixture(scope="module")
def toy(training_of):
    def make(languages=("da", "en", "it")):
        rng = np.random.default_rng(0)
        spaces = {x: rng.normal(size=(120, 6)).astype(np.float32) for x in ("da", "en", "it")}
        words = {x: [f"{x}{i}" for i in range(120)] for x in languages}
        return training_of(words, vectors={x: spaces[x] for x in languages})

    return make


@pytest.fixture(scope="module")
def fit(toy):
    return system.fit(toy(), OPTIONS)


def test_report_tells_how_each_language_went(fit):
    assert json.loads(json.dumps(fit.report)) == fit.report
    assert list(fit.report["pairs"]) == ["da-en", "it-en"]
    for report in fit.report["pairs"].values():
        assert len(report["starts"]) == 2
        best = [start["refinement"][start["best_round"]]["criterion"] for start in report["starts"]]
        assert report["best_start"] == int(np.argmax(best))
        for start in report["starts"]:
            scores = [entry["criterion"] for entry in start["adversarial"]]
            assert len(scores) == 2
            assert start["best_epoch"] == int(np.argmax(scores))
            assert start["refinement"][0]["criterion"] == pytest.approx(max(scores))


def test_tables_are_rotated_unit_vectors(fit, toy):
    given = toy().vectors
    for language in ("da", "en", "it"):
        unit = unit_of(given[language])
        table = fit.model.tables[language]
        assert table.dtype == np.float32
        # a rotation keeps all cosines
        np.testing.assert_allclose(table @ table.T, unit @ unit.T, atol=1e-5)
    np.testing.assert_allclose(fit.model.tables["en"], unit_of(given["en"]), atol=1e-6)


def unit_of(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_number_of_languages_changes_no_map(fit, toy):
    other = system.fit(toy(("it", "en")), OPTIONS)
    assert other.model.tables["it"].tobytes() == fit.model.tables["it"].tobytes()


def test_seeds_differ_by_language_and_start():
    seeds = {
        system.make_seed(seed, language, start)
        for seed in (0, 1)
        for language in ("da", "it", "ti")
        for start in (0, 1)
    }
    assert len(seeds) == 12


def test_defaults_are_those_of_the_paper():
    assert system.NEEDS == ("vectors",)
    defaults = complete(system.OPTIONS, {})
    own = {"pivot": None, "directed": False, "centre": False, "starts": 3}
    assert own.items() <= defaults.items()
    # Conneau et al. 2018, section 3.1 and the authors' code
    paper = {"hidden": 2048, "batch": 32, "input_dropout": 0.1, "smoothing": 0.1, "rate": 0.1}
    paper |= {"frequent_words": 75_000, "samples": 1_000_000, "epochs": 5, "orthogonality": 0.001}
    paper |= {"rate_decay": 0.98, "rate_shrink": 0.5, "discriminator_steps": 5, "leak": 0.2}
    paper |= {"rounds": 5, "dictionary_words": 15_000, "neighbours": 10, "criterion_words": 10_000}
    assert paper.items() <= defaults.items()


def test_no_configuration_rests_on_one_game():
    """A single one hangs on the last bits of the processor's sums."""
    seen = []
    for path in CONFIGURATIONS:
        systems = yaml.safe_load(path.read_text(encoding="utf-8")).get("systems", {})
        if "advrefine" in systems:
            seen.append(complete(system.OPTIONS, systems["advrefine"])["starts"])
    assert len(seen) >= 2
    assert min(seen) >= 2
