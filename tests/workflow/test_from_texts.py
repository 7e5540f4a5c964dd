"""A call from Python makes the models of the workflow, to the byte."""

import json
import sys

import pytest

from tests.kit import inside
from tests.kit.run import ROOT, ended

pytestmark = pytest.mark.slow

CALL = """
import json
import lzma
import sys

import pandas as pd
import yaml

import cr5

folder, system, out = sys.argv[1:]
with open(f"{folder}/results/tiny/config.yaml") as file:
    config = yaml.safe_load(file)
rows = [
    {**json.loads(line), "language": x}
    for x in config["languages"]
    for line in lzma.open(f"{folder}/given/{x}.jsonl.xz")
]
names = ("bags", "weighting", "splits", "vectors", "validation", "seed")
sections = {x: config[x] for x in names}
sections["dictionary"] = {**config["dictionary"]}
sections["dictionary"]["dictionaries"] = f"{folder}/{config['dictionary']['dictionaries']}"
cr5.fit(pd.DataFrame(rows), system, **sections, **config["systems"][system]).save(out)
"""


@pytest.mark.parametrize("system", ["cr5", "procrustes", "lexical_overlap"])
def test_the_same_texts_and_options_give_the_same_bytes(finished, tmp_path, system):
    """In a process that uses the same instructions of the processor as jobs do."""
    environment = {**inside.common_processor(), "PYTHONPATH": str(ROOT / "workflow")}
    call = [sys.executable, "-c", CALL, str(finished.folder), system, str(tmp_path / "m")]
    done = ended(call, ROOT, **environment)
    assert done.returncode == 0, done.stdout
    expected = finished.results / "models" / "joint" / system / "1"
    files = [x for x in expected.rglob("*") if x.suffix == ".safetensors"]
    assert len(files) >= 4
    for path in files:
        assert path.read_bytes() == (tmp_path / "m" / path.relative_to(expected)).read_bytes()
    ours = json.loads((tmp_path / "m" / "fit.json").read_text())
    assert ours["fit"] == inside.fit_of(finished.results, "joint", system)["fit"]
