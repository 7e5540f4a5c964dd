"""What a user of ./run sees of a small run, in a pipe."""

import re
from pathlib import Path

TARGET = "results/tiny/bags/da"
SYSTEMS = {"cr5": {"rank": 10}, "lexical_overlap": {}}


def started(run, *arguments):
    """The exit status, and what is said after snakemake's line on its profile."""
    done = run.started(*arguments)
    first, _, said = done.stdout.partition("\n")
    assert first.startswith("Using workflow specific profile")
    return done.returncode, said


def test_a_small_run(new_run):
    run = new_run(systems=SYSTEMS)
    status, plan = started(run, TARGET, "-n")
    assert status == 0
    assert re.findall(r"^(\w+) +(\d+)$", plan, re.MULTILINE) == [("corpus", "1"), ("bags", "1")]

    status, said = started(run, TARGET)
    assert status == 0
    lines = said.splitlines()
    begins = [x.split()[0] for x in lines if x]
    told = [x for x in begins if not re.fullmatch(r"\d+/\d+", x)]  # progress, on slow machines
    assert told == ["corpus", "bags", "Done:", "Log:"]
    assert max(map(len, lines[:-1])) < 80
    log = Path(lines[-1].split()[1]).read_text()
    assert "rule bags:" in log and "[bags da] " in log  # snakemake's text, and what a job prints

    assert started(run, TARGET) == (0, "Nothing to do: every result is there and up to date.\n")
    status, said = started(run, "quikc")
    assert status == 1
    assert said.startswith("Error: No rule to produce quikc")


def test_a_job_that_fails(new_run):
    run = new_run(systems=SYSTEMS)
    (run.folder / "corpus/da.jsonl.xz").write_bytes(b"no archive")
    status, said = started(run, TARGET)
    assert status == 1
    assert said.startswith("Failed: documents da\n  corpus/da.jsonl.xz, line 1: ")
    assert "its log: results/tiny/logs/documents/da.log\n1 job failed, 0 of 2 are done" in said
    assert "Call the same command again" in said and "Traceback" not in said
