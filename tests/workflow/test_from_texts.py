"""A call from Python makes the models of the workflow, to the byte."""

import json
import os
import subprocess
import sys

import pytest

from cr5.base import processor
from tests.tiny_run import ROOT

pytestmark = pytest.mark.slow

CALL = """
import json
import lzma
import sys

import yaml

import cr5

folder, system, out = sys.argv[1:]
with open(f"{folder}/results/tiny/config.yaml") as file:
    config = yaml.safe_load(file)
rows = [
    {**json.loads(line), "language": x}
    for x in config["languages"]
    for line in lzma.open(f"{folder}/corpus/{x}.jsonl.xz")
]
options = config["systems"][system]
sections = {x: config[x] for x in ("bags", "weighting", "splits", "vectors", "validation", "seed")}
module = options.pop("module", system)
cr5.fit(rows, module, **sections, **options).save(out)
"""


@pytest.mark.parametrize("system", ["cr5", "procrustes_identical", "advrefine", "lexical_overlap"])
def test_the_same_texts_and_options_give_the_same_bytes(finished, tmp_path, system):
    """In a process that uses the same instructions of the processor as jobs do."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow")}
    processor.limit("common", environment)
    call = [sys.executable, "-c", CALL, str(finished.folder), system, str(tmp_path / "m")]
    subprocess.run(call, check=True, env=environment)
    expected = finished.results / "models" / "joint" / system / "1"
    files = [x for x in expected.rglob("*") if x.suffix in (".npy", ".npz", ".parquet")]
    assert len(files) >= 8
    for path in files:
        assert path.read_bytes() == (tmp_path / "m" / path.relative_to(expected)).read_bytes()
    ours, theirs = (json.loads((x / "fit.json").read_text()) for x in (tmp_path / "m", expected))
    assert ours["fit"] == theirs["fit"]
