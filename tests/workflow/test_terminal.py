"""What a user of ./run sees of a small run, in a pipe."""

import re
from pathlib import Path

TARGET = "results/tiny/bags/da"
SYSTEMS = {"cr5": {"rank": 10}, "lexical_overlap": {}}


def test_a_small_run(new_run):
    run = new_run(systems=SYSTEMS)
    plan = run.started(TARGET, "-n")
    assert plan.returncode == 0
    assert re.findall(r"^(\w+) +(\d+)$", plan.stdout, re.MULTILINE) == [
        ("corpus", "1"),
        ("bags", "1"),
    ]

    done = run.started(TARGET)
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    begins = [x.split()[0] for x in lines if x]
    told = [x for x in begins if not re.fullmatch(r"\d+/\d+", x)]  # progress, on slow machines
    assert told == ["corpus", "bags", "Done:", "Log:"]
    assert max(map(len, lines[:-1])) < 80
    log = Path(lines[-1].split()[1]).read_text()
    assert "rule bags:" in log and "[bags da] " in log  # snakemake's text, and what a job prints

    again = run.started(TARGET)
    assert again.returncode == 0
    assert again.stdout == "Nothing to do: every result is there and up to date.\n"

    unknown = run.started("quikc")
    assert unknown.returncode == 1
    assert unknown.stdout.startswith("Error: No rule to produce quikc")


def test_a_job_that_fails(new_run):
    run = new_run(systems=SYSTEMS)
    (run.folder / "corpus/da.jsonl.xz").write_bytes(b"no archive")
    done = run.started(TARGET)
    assert done.returncode == 1
    assert done.stdout.startswith("Failed: documents da\n  corpus/da.jsonl.xz, line 1: ")
    assert (
        "its log: results/tiny/logs/documents/da.log\n1 job failed, 0 of 2 are done" in done.stdout
    )
    assert "Call the same command again" in done.stdout and "Traceback" not in done.stdout
