"""The section `channels`: what a configuration may say, and what depends on it."""

from pathlib import Path

import pytest

from cr5.plan import outside
from cr5.plan.config import validated
from cr5.plan.made_with import MadeWith

SYSTEM = """NEEDS = ("channels",)
OPTIONS = {}


def fit(training, options): ...
"""
CHANNEL = {"documents": "{language}.tsv", "languages": ["en"]}


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """A function: a validated configuration with a system that learns from channels."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(SYSTEM)
    return lambda channels, **changes: validated(
        {
            "corpus": {"name": "x", "source": "files", "path": "{language}.jsonl"},
            "languages": ["en", "da"],
            "systems": {"mine": {"module": "mine.py"}, "cr5": {}},
            **({"channels": channels} if channels else {}),
            **changes,
        }
    )


def made_with(config):
    return MadeWith(config, content=lambda path: f"content of {path}")


def test_all_languages_have_one_unless_some_are_named(configured):
    assert configured({"documents": "x"})["channels"]["languages"] == ["da", "en"]
    assert configured(CHANNEL)["channels"]["languages"] == ["en"]


def test_missing_files_are_named(configured):
    judged = CHANNEL | {"queries": "q.{language}", "qrels": "qrels"}
    found = list(outside.missing(configured(judged)))
    assert [x.split(".  ")[0].split(". Rel")[0] for x in found] == [
        f"channels: there is no file {path}" for path in ("en.tsv", "q.en", "qrels")
    ]


def test_only_systems_that_learn_from_them_are_fitted_again(configured):
    before, after = made_with(configured(None)), made_with(configured(CHANNEL))
    assert before.fit("joint", "mine", 1)["channels"] == []
    assert after.fit("joint", "mine", 1)["channels"][1:] == ["content of en.tsv"]
    assert before.fit("joint", "cr5", 1) == after.fit("joint", "cr5", 1)


def test_vectors_depend_on_the_channels_that_they_read(configured):
    systems = {"procrustes": {"seeds": "identical"}}
    tables = [
        made_with(configured(channel, systems=systems)).fit("joint", "procrustes", 1)["vectors"]
        for channel in (None, CHANNEL, CHANNEL | {"train_vectors": True})
    ]
    assert tables[0] == tables[1]
    assert tables[2][-1] == "content of en.tsv"
