"""What `--check` finds by importing a system of one's own."""

import pytest

from cr5.plan.check import ERROR, OK
from cr5.plan.check_files import files
from cr5.plan.config import validated

LAYERS = """
import numpy as np
from dataclasses import dataclass
from cr5.models.contract import Model

@dataclass(frozen=True)
class Layers(Model):
    words: dict[str, list[str]]
    layers: {layers}
    measures: tuple[str, ...] = ("cosine",)

    def embed(self, counts, language, target_language=None): ...
    def check(self): ...

def fit(training, options): ...
"""


@pytest.mark.parametrize(
    ("layers", "level"), [("list[np.ndarray]", ERROR), ("dict[str, float]", OK)]
)
def test_a_class_of_models_that_could_not_be_stored_is_refused(
    tmp_path, monkeypatch, layers, level
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(LAYERS.replace("{layers}", layers))
    corpus = {"name": "mine", "source": "jsonl", "path": "{language}.jsonl"}
    systems = {"mine": {"module": "mine.py"}}
    given = validated({"corpus": corpus, "languages": ["en", "da"], "systems": systems})
    [found] = [x for x in files(given) if x.said.startswith("systems.mine: its classes of models")]
    assert found.level == level
    if level == ERROR:
        assert "class Layers: its field layers is of the type" in found.said
