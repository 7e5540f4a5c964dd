from pathlib import Path

import pytest
import yaml

from cr5.base.errors import UserError
from cr5.plan import config

ROOT = Path(__file__).parents[2]
MINIMAL = {
    "corpus": {"name": "mine", "source": "jsonl", "path": "data/{language}.jsonl.xz"},
    "languages": ["en", "es"],
}

WIKIPEDIA = {"name": "wiki", "source": "wikipedia"}


def mistake(**changes):
    with pytest.raises(UserError) as caught:
        config.validated({**MINIMAL, **changes})
    return str(caught.value)


def test_minimal_configuration_gets_the_papers_values():
    full = config.validated(MINIMAL)
    assert full["bags"] == {
        "min_documents": 3,
        "max_words": 200000,
        "unique_words": [50, 1000],
        "unique_words_in": "text",
    }
    assert full["splits"]["test"] == 1000
    assert full["splits"]["candidates"] == 200000
    assert full["evaluation"]["csls_neighbours"] == 10
    assert full["systems"]["cr5"]["rank"] == 300
    assert full["seed"] == 123


def test_validating_twice_changes_nothing():
    full = config.validated(MINIMAL)
    assert config.validated(full) == full


def test_the_given_dictionary_is_left_alone():
    given = {**MINIMAL, "systems": {"cr5": {}}}
    config.validated(given)
    assert given["systems"] == {"cr5": {}}


@pytest.mark.parametrize("path", sorted((ROOT / "config").glob("*.yaml")), ids=lambda p: p.name)
def test_every_configuration_in_the_repository_is_valid(path):
    full = config.validated(yaml.safe_load(path.read_text()))
    assert config.settings(full)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"langauges": ["en"]}, "langauges: unknown key; did you mean 'languages'?"),
        ({"bags": {"min_docs": 3}}, "bags.min_docs: unknown key; did you mean 'min_documents'?"),
        ({"splits": {"test": "many"}}, "splits.test: expected a value of type integer"),
        ({"splits": {"test": 0}}, "splits.test: expected 1 or more, found 0"),
        ({"splits": {"held_out": "book"}}, "splits.held_out: expected one of ['paper', 'code']"),
        ({"languages": ["en"]}, "languages: expected at least 2 entries"),
        ({"languages": ["en", "English"]}, "languages[1]: expected an ISO 639-1 code"),
        ({"corpus": {"name": "x", "source": "jsonl"}}, "corpus: missing 'path'"),
        ({"corpus": {"name": "x", "source": "jsonl", "path": "en.jsonl"}}, "corpus.path"),
        ({"corpus": {"name": "a/b", "source": "libreoffice_help"}}, "corpus.name: expected"),
        ({"bags": {"unique_words": [9, 2]}}, "bags.unique_words: expected [least, most]"),
        ({"systems": {"cr6": {}}}, "systems.cr6: there is no file 'cr6.py'"),
        ({"systems": {"cr5": {"rnak": 3}}}, "systems.cr5.rnak: unknown key; did you mean 'rank'?"),
        ({"corpus": {**WIKIPEDIA, "date": "2026-13-01"}}, "corpus.date: expected latest, YYYY-MM"),
        ({"corpus": {**WIKIPEDIA, "exclude_titles": "("}}, "not a regular expression"),
        ({"corpus": {**MINIMAL["corpus"], "date": "latest"}}, "a key of the source wikipedia"),
        ({"systems": {"cr5": {"tolerance": "1e-6"}}}, "found '1e-6'; YAML takes that for text"),
        ({"systems": {"cr5": {"ridges": 1.0}}}, "systems.cr5.ridges: expected something like ["),
        ({"systems": {"cr5": {"rank": 2.5}}}, "systems.cr5.rank: expected something like 300"),
        ({"languages": ["en", False]}, '"no" in quotes'),
        (
            {"settings": {"joint": {"systems": ["cr6"]}}},
            "settings.joint.systems: cr6: unknown key; did you mean 'cr5'?",
        ),
        (
            {"settings": {"pairwise": {"pairs": ["en-da"]}}},
            "'en-da' is not a pair of two of the languages en, es",
        ),
    ],
)
def test_mistakes_name_the_key_and_what_was_expected(changes, expected):
    assert expected in mistake(**changes)


def test_what_is_left_empty_has_its_defaults():
    full = config.validated(
        {**MINIMAL, "bags": None, "systems": {"cr5": None}, "settings": {"joint": None}}
    )
    assert full == config.validated({**MINIMAL, "systems": {"cr5": {}}})


def test_all_mistakes_are_listed_at_once():
    message = mistake(seed=-1, results=3)
    assert "seed: expected 0 or more" in message
    assert "results: expected a value of type string" in message


def test_settings():
    full = config.validated(
        {
            **MINIMAL,
            "languages": ["da", "en", "vi"],
            "settings": {
                "joint": {"systems": ["untranslated"]},
                "pairwise": {"pairs": ["vi-da", "da-en"]},
            },
        }
    )
    found = config.settings(full)
    assert list(found) == ["joint", "pairwise_da-vi", "pairwise_da-en"]
    assert found["joint"].languages == ("da", "en", "vi")
    assert found["joint"].systems == ("untranslated",)
    assert found["joint"].pairs == [("da", "en"), ("da", "vi"), ("en", "vi")]
    assert found["pairwise_da-vi"].languages == ("da", "vi")
    assert found["pairwise_da-vi"].systems == tuple(full["systems"])


def test_which_systems_need_vectors():
    full = config.validated({**MINIMAL, "systems": {"advrefine": {}, "untranslated": {}}})
    assert config.needs_vectors(full, "advrefine")
    assert not config.needs_vectors(full, "untranslated")


def keys(schema, prefix=""):
    for name, part in schema.get("properties", {}).items():
        yield f"{prefix}{name}"
        yield from keys(part, f"{prefix}{name}.")


def test_every_key_is_explained():
    readme = (ROOT / "config" / "README.md").read_text()
    schema = yaml.safe_load(config.SCHEMA.read_text())
    missing = [key for key in keys(schema) if key.rsplit(".", 1)[-1] not in readme]
    assert not missing
