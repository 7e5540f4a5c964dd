"""Every benchmark is started once, as small as it can be."""

import os
import sys
from pathlib import Path

import pandas as pd
import pytest

from tests.kit import wikimedia
from tests.kit.corpus import give
from tests.kit.run import KEYS, ROOT, ended

pytestmark = pytest.mark.slow

PROGRAMS = sorted(
    path.stem
    for path in (ROOT / "benchmarks").glob("*.py")
    if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
)
# How each is started; {dump} is a made-up dump, {vectors} and {dictionary} files of made-up words,
# {figures} a file of figures, {out} an empty one.
SMALL = {
    "figures": "{out} xcnn_mt mappings --dry-run",
    "index_search": "--texts 2000 --dimensions 20 --length 10 --rerank 0.5",
    "mappings": "--vectors {vectors} --dictionary da en {dictionary} --train 80 --test 30 "
    "--seeds 1 --methods procrustes rcsls similarity",
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
    columns = ["run", *KEYS, "repetition", "value"]
    frame = pd.DataFrame([["tiny", *KEYS, "mean", 0.5]], columns=columns)
    frame.to_csv(folder / "figures.csv.xz", index=False)
    return {
        "figures": folder / "figures.csv.xz",
        "dump": dump,
        "vectors": folder / "given" / "{language}.vec",
        "dictionary": folder / "given" / "da-en.dict",
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_runs(name, tmp_path, given):
    assert name in SMALL, f"say in {Path(__file__).name} how benchmarks/{name}.py is started small"
    paths = os.pathsep.join(map(str, (ROOT / "workflow", ROOT)))
    arguments = SMALL[name].format(**given, out=tmp_path).split()
    command = [sys.executable, "-m", f"benchmarks.{name}", *arguments]
    done = ended(command, tmp_path, PYTHONPATH=paths, TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stdout[-3000:]
    assert "Traceback" not in done.stdout
