"""What ./run starts, up to the moment at which snakemake takes over."""

import subprocess
import sys
from pathlib import Path

import pytest

from cr5.plan import start

ROOT = Path(__file__).parents[2]


def test_all_configuration_files_are_found():
    given = ["--configfile=a.yaml", "x", "--configfiles", "b", "c.yml", "-n", "d.yaml", "--", "e"]
    assert list(start.named_files(given)) == ["a.yaml", "b", "c.yml"]


def test_a_mistake_in_a_file_is_told_in_one_sentence_before_snakemake_starts(tmp_path, monkeypatch):
    monkeypatch.setattr(start, "snakemake", None)
    (tmp_path / "mine.yaml").write_text("seed: 1\nseed: 2\n")
    with pytest.raises(SystemExit, match=r"run: .*mine.yaml, line 2: the key 'seed' was already"):
        start.main(["--configfile", str(tmp_path / "mine.yaml"), "quick"])


def test_it_reads_files_without_what_takes_long():
    """Numbers and tables take seconds to import, snakemake half a second more."""
    code = "import sys, cr5.plan.start; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    names = set(done.stdout.split())
    assert "yaml" in names
    assert not {"numpy", "pandas", "pydantic", "snakemake"} & names
