"""What README.md tells one to run can be run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_of_a_mirror_makes_what_its_configuration_reads(tmp_path):
    """Articles, mirror and results in folders of their own."""
    [script] = re.findall(r"```sh\n(\.venv/bin/python benchmarks/mirror.*?)```", README, re.DOTALL)
    script = script.replace(".venv/bin/python", f"'{sys.executable}'").replace("1000", "30")
    script = script.replace("benchmarks/mirror.py", f"'{ROOT}/benchmarks/mirror.py'")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow")}
    subprocess.run(["bash", "-ec", script], cwd=tmp_path, check=True, env=environment)
    [corpus] = re.findall(r"`corpus: (\{[^`]*base: [^`]*\})`", README)
    [aligned] = re.findall(r'`path: "(made/[^`]*)"`', README)
    corpus = yaml.safe_load(corpus)
    out = [tmp_path / folder for folder in re.findall(r"--out (\S+)", script)]
    assert len(set(out)) == 2
    assert not any(a.is_relative_to(b) for a in out for b in out if a != b)
    assert not any(folder.is_relative_to(tmp_path / "results") for folder in out)
    assert (tmp_path / corpus["base"] / "other").is_dir()
    for language in ("en", "da"):
        assert (tmp_path / aligned.replace("{language}", language)).is_file()
