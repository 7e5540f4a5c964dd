"""Every benchmark is started once, as small as it can be."""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from benchmarks import mirror
from benchmarks.made_up import corpus
from cr5.counts import documents
from tests.kit.corpus import Corpus, give
from tests.kit.reference import KEYS
from tests.kit.run import ROOT

pytestmark = pytest.mark.slow

PROGRAMS = sorted(
    path.stem
    for path in (ROOT / "benchmarks").glob("*.py")
    if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
)
# How each is started; {run} is a finished run, {dumps} a folder of made-up dumps, {out} an empty
# one, {text}, {vectors} and {dictionary} files of the run's languages.
SMALL = {
    "advrefine_size": "da en --text {text} --dictionary {dictionary} --sizes 0.005 --seeds 1 "
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
    "mappings": "--vectors {vectors} --dictionary da en {dictionary} --train 80 --test 30 "
    "--seeds 1 --methods procrustes rcsls similarity",
    "mappings_scale": "--words 3000 --dimension 20 --train 200 --test 50",
    "mirror": "corpus --articles 5 --languages en da --out {out}",
    "networks_growth": "--sizes 200 400",
    "networks_scale": "--part 0.001",
    "prior_cost": "{run} --languages da en --concepts 300 --rank 10",
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
    give(folder / "given")
    for language in ("da", "en"):
        text = "\n".join(Corpus().documents[language].values())
        documents.write(folder / f"{language}.parquet", [("x", "", text)], language)
    (folder / "figures").mkdir()
    columns = [*KEYS, "repetition", "value"]
    frame = pd.DataFrame([[*map(str, range(len(KEYS))), "mean", 0.5]], columns=columns)
    frame.to_csv(folder / "figures" / "tiny.csv.xz", index=False)
    return {
        "figures": folder / "figures",
        "dump": dump,
        "dumps": dump.parent,
        "text": folder / "{language}.parquet",
        "vectors": folder / "given" / "{language}.vec",
        "dictionary": folder / "given" / "da-en.dict",
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_runs(name, tmp_path, given, request):
    assert name in SMALL, f"say in {Path(__file__).name} how benchmarks/{name}.py is started small"
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    files, paths, folder = dict(given, out=tmp_path), [ROOT / "workflow", ROOT], tmp_path
    if "{run}" in SMALL[name]:
        run = request.getfixturevalue("finished")
        files["run"], folder = run.results, run.folder
        paths = [run.folder / "workflow", ROOT]
    paths = os.pathsep.join(map(str, paths))
    environment = {**os.environ, "PYTHONPATH": paths, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *SMALL[name].format(**files).split()],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "Traceback" not in done.stdout
