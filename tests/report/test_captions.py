"""Captions of snakemake's report are rendered by jinja2, then read by docutils."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils.core import publish_parts
from jinja2 import Environment, StrictUndefined

CAPTIONS = sorted((Path(__file__).parents[2] / "workflow" / "report").glob("*.rst"))
SNAKEMAKE = SimpleNamespace(
    params=SimpleNamespace(corpus="my_corpus_", similarity="csls", task="judged"),
    config={"corpus": {"name": "my_corpus_"}},
)


@pytest.mark.parametrize("path", CAPTIONS, ids=lambda path: path.stem)
def test_caption_names_the_corpus_and_is_sound(path):
    template = Environment(undefined=StrictUndefined).from_string(path.read_text("utf-8"))
    text = template.render(snakemake=SNAKEMAKE)
    # level 2: a warning of docutils is an error here
    body = publish_parts(text, writer="html", settings_overrides={"halt_level": 2})["body"]
    assert "<em>my_corpus_</em>" in body


def test_there_are_captions():
    assert len(CAPTIONS) >= 6


def test_a_caption_names_files_that_the_run_makes():
    """The page holds no CSV file: "beside this one" would lead nowhere."""
    made = {
        "tables/pairs.csv",
        "tables/validation.csv",
        "tables/dimensions.csv",
        "tables/table1.csv",
        "tables/tasks/judged.csv",
    }
    made |= {"figures/add_data.csv", "figures/overlap.csv"}
    made |= {"tables/systems.csv", "tables/significance.csv", "tables/reproduction.csv"}
    template = Environment(undefined=StrictUndefined).from_string
    for path in CAPTIONS:
        text = template(path.read_text("utf-8")).render(snakemake=SNAKEMAKE)
        assert "CSV file" not in text
        assert set(re.findall(r"\S+\.csv", text.replace("*", ""))) <= made
