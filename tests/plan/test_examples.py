import pytest

from cr5.base.errors import UserError
from cr5.plan.shown import examples


def config(**options):
    return {
        "languages": ["da", "en", "it"],
        "repetitions": 2,
        "systems": {"cr5": {}, "lexical_overlap": {}},
        "tasks": {"ad_hoc": {}, "documents": {}},
        "settings": {
            "joint": {
                "kind": "joint",
                "languages": ["da", "en", "it"],
                "systems": ["cr5", "lexical_overlap"],
            },
            "pairwise": {
                "kind": "pairwise",
                "pairs": [["en", "it"], ["da", "en"]],
                "systems": ["cr5"],
            },
        },
        "evaluation": {"examples": {"queries": 2, "named": [], **options}},
    }


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [("joint", "cr5")]),
        ({"system": "lexical_overlap"}, [("joint", "lexical_overlap")]),
        ({"setting": "pairwise"}, [("pairwise_en-it", "cr5"), ("pairwise_da-en", "cr5")]),
        ({"setting": "pairwise_da-en"}, [("pairwise_da-en", "cr5")]),
        ({"setting": "joint", "system": "lexical_overlap"}, [("joint", "lexical_overlap")]),
        ({"setting": "joint"}, [("joint", "cr5")]),
    ],
)
def test_whose_examples(options, expected):
    rows = examples(config(**options), "documents")
    assert [(row.setting.name, row.system) for row in rows] == expected
    assert {(row.repetition, row.task) for row in rows} == {(1, "documents")}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"setting": "pairwize"}, "setting: pairwize: unknown key; did you mean 'pairwise'"),
        ({"system": "crs"}, "system: crs: unknown key; did you mean 'cr5'"),
        (
            {"setting": "pairwise", "system": "lexical_overlap"},
            "system: lexical_overlap is not fitted in pairwise, only in joint",
        ),
        ({"named": [{"title": "x"}]}, r"named\[0\]: expected a language, and a title or a concept"),
        (
            {"named": [{"language": "da", "title": "x", "concept": "y"}]},
            r"named\[0\]: expected a language, and a title or a concept",
        ),
        (
            {"named": [{"language": "da", "title": "x"}, {"language": "vi", "title": "x"}]},
            r"named\[1\].language: expected one of da, en, it, found 'vi'",
        ),
    ],
)
def test_mistakes_are_told_before_any_job(options, message):
    with pytest.raises(UserError, match=message):
        examples(config(**options), "documents")
