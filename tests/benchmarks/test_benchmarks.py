"""Every benchmark is started once, as small as it can be; and what counts as the same figures."""

import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.same_figures import main
from tests.kit import wikimedia
from tests.kit.corpus import give
from tests.kit.run import KEYS, ROOT, ended
from tests.tiny_encoders import write_static

PROGRAMS = sorted(
    path.stem
    for path in (ROOT / "benchmarks").glob("*.py")
    if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
)
# How each is started; {dump} is a made-up dump, {vectors} and {dictionary} files of made-up words,
# {figures} a file of figures, {out} an empty one.
SMALL = {
    "figures": "{out} xcnn_mt mappings --dry-run",
    "encoder_cost": "{encoder} --texts 2 --index 10 --documents {documents}",
    "growth": "{out}/growth.png --largest 1",
    "index_search": "--texts 2000 --dimensions 20 --length 10 --rerank 0.5",
    "mappings": "--vectors {vectors} --dictionary da en {dictionary} --train 80 --test 30 "
    "--seeds 1 --methods procrustes rcsls similarity",
    "mutants": "counts/weighting --mutants 1",
    "ranking": "--queries 400 --candidates 2000 --dimensions 20",
    "same_figures": "{figures} {figures}",
    "solver_scale": "--part 0.001 --rank 10",
    "solver_speed": "--concepts 400 --nonzeros 20 --rank 10",
    "wikipedia_chain": "--sample {dump} --megabytes 1 --runs 1",
}


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """Files that the arguments name."""
    folder = tmp_path_factory.mktemp("given")
    wikimedia.make(folder / "mirror", ["es"], 60, parts=(1,))
    [dump] = (folder / "mirror").rglob(f"*{wikimedia.DATE}*.xml.bz2")
    give(folder / "given")
    keys = dict.fromkeys(KEYS, "any")
    frame = pd.DataFrame([{"run": "tiny"} | keys | {"repetition": "mean", "value": 0.5}])
    frame.to_csv(folder / "figures.csv.xz", index=False)
    vectors = np.random.default_rng(0).standard_normal((3, 4), np.float32)
    write_static(folder / "encoder", dict(zip(("print", "a", "table"), vectors, strict=True)))
    documents = pd.DataFrame({"text": ["print a table " * 400]})
    documents.to_parquet(folder / "documents.parquet")
    return {
        "encoder": folder / "encoder",
        "documents": folder / "documents.parquet",
        "figures": folder / "figures.csv.xz",
        "dump": dump,
        "vectors": folder / "given" / "{language}.vec",
        "dictionary": folder / "given" / "da-en.dict",
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_runs(name, tmp_path, given):
    assert name in SMALL, f"say in {Path(__file__).name} how benchmarks/{name}.py is started small"
    paths = f"{ROOT / 'workflow'}{os.pathsep}{ROOT}"
    arguments = SMALL[name].format(**given, out=tmp_path).split()
    command = [sys.executable, "-m", f"benchmarks.{name}"] + arguments
    done = ended(command, tmp_path, PYTHONPATH=paths, TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stdout[-3000:]
    assert "Traceback" not in done.stdout


def figure(system, repetition, value, metric="RR"):
    """A row of figures of a run called tiny."""
    return {
        "run": "tiny",
        "setting": "joint",
        "system": system,
        "task": "documents",
        "query": "da",
        "target": "en",
        "similarity": "cosine",
        "metric": metric,
        "repetition": repetition,
        "value": value,
    }


OLD = [
    figure("cr5", "mean", 0.5),
    figure("xcnn_self", "mean", 0.3),
    figure("xcnn_self", "1", 0.2),
    figure("xcnn_self", "2", 0.4),
]
COLUMNS = list(OLD[0])
NEW_ROW = figure("cr5", "mean", 0.1, metric="P@1")


def changed(number, value):
    """The old figures, of which one has another value."""
    rows = [dict(row) for row in OLD]
    rows[number]["value"] = value
    return rows


@pytest.mark.parametrize(
    ("rows", "listed", "status"),
    [
        pytest.param(OLD, "", 0, id="equal"),
        pytest.param(changed(0, 0.5004), "", 0, id="in the fourth digit"),
        pytest.param(changed(0, 0.501), "", 1, id="in the third"),
        pytest.param(OLD[1:], "", 1, id="a row is missing"),
        pytest.param([], "", 1, id="nothing in common"),
        pytest.param(OLD + [NEW_ROW], "", 0, id="a new row"),
        pytest.param(changed(1, 0.45), "", 0, id="chaotic, within what repetitions differ by"),
        pytest.param(changed(1, 0.55), "", 1, id="chaotic, beyond it"),
        pytest.param(changed(2, 0.3), "", 0, id="a repetition of a chaotic system"),
        (changed(0, 0.6), "tiny,,cr5,,,,,RR,the criterion was corrected", 0),
        (changed(0, 0.6), ",joint,,,da,,,,everything of a setting", 0),
        (changed(0, 0.6), "other,,cr5,,,,,RR,of another run", 1),
        (changed(0, 0.6), "tiny,,cr5,,,,,P@1,of another metric", 1),
    ],
)
def test_status(tmp_path, rows, listed, status):
    old = tmp_path / "old"
    new = tmp_path / "new"
    reasons = tmp_path / "reasons"
    pd.DataFrame(OLD, columns=COLUMNS).to_csv(old, index=False)
    pd.DataFrame(rows, columns=COLUMNS).to_csv(new, index=False)
    head = ",".join(["run"] + KEYS + ["reason"])
    reasons.write_text(f"{head}\n{listed}")
    assert main([str(old), str(new), "--differences", str(reasons)]) == status
