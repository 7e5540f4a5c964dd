"""What a user of ./run sees of a small run, in a pipe."""

import os
import re
import subprocess
import sys
from pathlib import Path

TARGET = "results/tiny/bags/aa"


def start(run, *arguments):
    """As ./run does; status and both outputs."""
    command = [sys.executable, "-P", "-m", "cr5.plan.start", "--cores", "2", *arguments]
    command += ["--workflow-profile", "workflow/profiles/default", "--configfile", "tiny.yaml"]
    done = subprocess.run(
        command,
        cwd=run.folder,
        env={**os.environ, "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def test_a_small_run(new_run):
    systems = {"cr5": {"rank": 10}, "lexical_overlap": {}}
    run = new_run(systems=systems, settings={"joint": {}})
    status, said = start(run, TARGET, "-n")
    assert status == 0
    assert re.findall(r"^(\w+) +(\d+) +(\d+)$", said, re.MULTILINE) == [
        ("corpus", "1", "0"),
        ("bags", "1", "0"),
        ("all", "2", "0"),
    ]

    status, said = start(run, TARGET)
    lines = said.splitlines()
    assert status == 0
    begins = [x.split()[0] for x in lines if x]
    told = [x for x in begins if not re.fullmatch(r"\d+/\d+", x)]  # progress, on slow machines
    assert told == ["corpus", "bags", "Done:", "Log:"]
    assert max(map(len, lines[:-1])) < 80
    log = Path(lines[-1].split()[1]).read_text()
    assert "rule bags:" in log and "[bags aa] " in log  # snakemake's text, and what a job prints

    status, said = start(run, TARGET)
    assert (status, said) == (0, "Nothing to do: every result is there and up to date.\n")
    assert (run.folder / ".snakemake/up_to_date.json").exists()

    status, said = start(run, "quikc")
    assert status == 1
    assert said.startswith("Error: quikc is neither a target")
    assert said.endswith("Did you mean quick?\n")


def test_a_job_that_fails(new_run):
    run = new_run()
    (run.folder / "corpus/aa.jsonl.xz").write_bytes(b"no archive")
    status, said = start(run, TARGET)
    assert status == 1
    assert said.startswith("Failed: documents aa\n  corpus/aa.jsonl.xz, line 1, ")
    assert "its log: results/tiny/logs/documents/aa.log\n1 job failed, 1 could not be" in said
    assert "Call the same command again" in said and "Traceback" not in said


def test_a_plan_with_an_error(new_run):
    run = new_run()
    (run.folder / "toy_system.py").write_text("import not_there\nDEFAULTS = {'dimension': 8}\n")
    status, said = start(run, "-n")
    assert status == 1
    *_, error, last = said.splitlines()
    assert error.startswith("error    systems.toy: its packages: not installed: not_there")
    assert last == "Such a run would not start until it is corrected."
    assert len(said.splitlines()) < 24
