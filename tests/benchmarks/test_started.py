"""Every benchmark is started once, as small as it can be."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import mirror
from benchmarks.made_up import corpus
from cr5.counts import documents
from tests.conftest import spell
from tests.kit.reference import KEYS
from tests.tiny_run import ROOT

pytestmark = pytest.mark.slow

PROGRAMS = sorted(
    path.stem
    for path in (ROOT / "benchmarks").glob("*.py")
    if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
)
# How each is started; {run} is a finished run, {dumps} a folder of made-up dumps, {out} an empty
# one, {text}, {vectors} and {dictionary} files of the run's languages.
SMALL = {
    "advrefine_size": "aa bb --text {text} --dictionary {dictionary} --sizes 0.005 --seeds 1 "
    "--dimension 10 --epochs 1 --hidden 8 --samples 64",
    "alignment": "{run} cr5",
    "another_processor": "{run} --again 1 --cores 1 --run-modules",
    "default_run": "{run}",
    "download": "--megabytes 3",
    "figures": "{out} xcnn_mt mappings --dry-run",
    "fuzz_readers": "--minutes 0.01 --targets tables --keep {out}",
    "fuzz_wikitext": "--dumps {dumps} --minutes 0.02 --failures {out}",
    "growth": "--part 0.03 --folder {out}",
    "hubs": "{run} cr5",
    "index_search": "--texts 2000 --dimensions 20 --length 10 --rerank 0.5",
    "mappings": "--vectors {vectors} --dictionary aa bb {dictionary} --train 200 --test 50 "
    "--seeds 1 --methods procrustes rcsls similarity",
    "mappings_scale": "--words 3000 --dimension 20 --train 200 --test 50",
    "mirror": "corpus --articles 5 --languages en da --out {out}",
    "networks_growth": "--sizes 200 400",
    "networks_scale": "--part 0.001",
    "prior_cost": "{run} --languages aa bb --concepts 300 --rank 10",
    "processor_cost": "--rounds 1 --only logarithms",
    "projections_scale": "--part 0.01 --dimensions 20 --nonzeros 20",
    "ranking": "--queries 400 --candidates 2000 --dimensions 20",
    "same_figures": "{figures} {figures}",
    "solver_scale": "--part 0.001 --rank 10",
    "solver_speed": "--concepts 400 --nonzeros 20 --rank 10",
    "sql_speed": "--megabytes 1 --runs 1",
    "topics_scale": "--pairs 200 --words 500 --nonzeros 20 --topics 5 --iterations 1",
    "vectors": "--tokens 50000 --dimension 10",
    "wikipedia_chain": "--sample {dump} --megabytes 1 --runs 1",
    "wikipedia_counts": "--documents 400 --parts 2",
    "wikitext_quality": "--dumps {dumps} --differences 2",
    "wikitext_speed": "--dumps {dumps} --file all --rounds 1",
}
NEEDED = {"fuzz_readers": "atheris"}


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """Files that the arguments name."""
    folder = tmp_path_factory.mktemp("given")
    corpus.write(folder / "es.jsonl.gz", "es", 60)
    mirror.make(
        str(folder / "{language}.jsonl.gz"), ("es",), ("legacy",), folder / "mirror", parts=1
    )
    [dump] = (folder / "mirror").rglob("*pages-articles*.bz2")
    for language in ("aa", "bb"):
        rows = np.random.default_rng(0).normal(size=(300, 10)).round(4)
        lines = (f"{spell(i, language)} {' '.join(map(str, row))}" for i, row in enumerate(rows))
        paragraphs = np.random.default_rng(1).integers(300, size=(600, 10))
        lines_of_text = (" ".join(spell(i, language) for i in row) for row in paragraphs)
        text = [("x", "", "\n".join(lines_of_text))]
        documents.write(folder / f"{language}.parquet", text, language)
        (folder / f"{language}.vec").write_text("\n".join(["300 10", *lines, ""]))
    pairs = [f"{spell(i, 'aa')} {spell(i, 'bb')}\n" for i in range(300)]
    (folder / "aa-bb.dict").write_text("".join(pairs))
    (folder / "figures").mkdir()
    columns = [*KEYS, "repetition", "value"]
    frame = pd.DataFrame([[*map(str, range(len(KEYS))), "mean", 0.5]], columns=columns)
    frame.to_csv(folder / "figures" / "tiny.csv", index=False)
    return {
        "figures": folder / "figures",
        "dump": dump,
        "dumps": dump.parent,
        "text": folder / "{language}.parquet",
        "vectors": folder / "{language}.vec",
        "dictionary": folder / "aa-bb.dict",
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_runs(name, tmp_path, given, request):
    assert name in SMALL, f"say in {Path(__file__).name} how benchmarks/{name}.py is started small"
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    files, paths = dict(given, out=tmp_path), [ROOT / "workflow", ROOT]
    if "{run}" in SMALL[name]:
        run = request.getfixturevalue("finished")
        files["run"], paths = run.results, [run.workflow, ROOT]
    paths = os.pathsep.join(map(str, paths))
    environment = {**os.environ, "PYTHONPATH": paths, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *SMALL[name].format(**files).split()],
        cwd=files.get("run", tmp_path),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "Traceback" not in done.stdout
