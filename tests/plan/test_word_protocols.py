from pathlib import Path

import pytest
import yaml

from cr5.plan.config import validated
from cr5.plan.word_protocols import unlike

ROOT = Path(__file__).parents[2] / "config"

TASK = "lexicon_induction"


def config(name, **changes):
    return validated(yaml.safe_load((ROOT / name).read_text(encoding="utf-8")) | changes)


def test_the_configuration_of_the_rcsls_paper_is_not_unlike_it():
    found = unlike(config("rcsls.yaml"), TASK)
    assert found["muse"] == []
    assert len(found["wacky"]) == 3  # vectors, training and test dictionary


def test_what_it_says_of_table_3_is_not_unlike_that():
    """The comment in the file, as it stands there."""
    lines = (ROOT / "rcsls.yaml").read_text(encoding="utf-8").splitlines()
    said = yaml.safe_load("\n".join(x.removeprefix("#") for x in lines if x.startswith("#     ")))
    assert set(said) == {"vectors", "dictionary", "tasks"}
    settings = {"pairwise": {"pairs": ["en-es"], "tasks": [TASK]}}
    assert unlike(config("rcsls.yaml", **said, settings=settings), TASK)["wacky"] == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"bags": {}}, "the vocabulary is not that of the vectors"),
        (
            {"vectors": {"path": "wiki.{language}.vec", "most_frequent": 9}},
            "vectors.most_frequent is 9, not 200000",
        ),
        ({"vectors": {}, "bags": {}}, "the vectors are not MUSE's"),
        (
            {"tasks": {TASK: {}, "documents": {}}},
            "the words are not those of MUSE's test",
        ),
        (
            {
                "tasks": {
                    TASK: {
                        "dictionaries": ".5000-6500.txt{source}{target}",
                        "limit": 10,
                    }
                }
            },
            "tasks.lexicon_induction.limit is 10",
        ),
        ({"evaluation": {"csls_neighbours": 3}}, "evaluation.csls_neighbours is 3, not 10"),
        ({"dictionary": {"dictionaries": "freedict"}}, "the training dictionary is not MUSE's"),
    ],
)
def test_what_differs_is_named(changes, expected):
    assert expected in unlike(config("rcsls.yaml", **changes), TASK)["muse"]
