"""Arguments of ./run."""

import pytest

from cr5.plan import arguments


def test_all_configuration_files_are_found():
    given = ["--configfile=a.yaml", "x", "--configfiles", "b", "c.yml", "-n", "d.yaml", "--", "e"]
    assert list(arguments.named_files(given)) == ["a.yaml", "b", "c.yml"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], True),
        (["quick", "-n", "--cores", "2", "--workflow-profile", "x", "--configfile=a"], True),
        (
            ["-c4", "-F", "--directory", "x", "--config", "seed=1", "--rerun-triggers", "a"],
            True,
        ),
        (["--profile", "workflow/profiles/slurm", "--slurm-account=x", "-k"], True),
        (["--summary"], False),
        (["--cores", "2", "--delete-all-output"], False),
        (["--lint"], False),
        (["-n", "--quiet", "host"], False),
        (["--", "--lint"], True),
    ],
)
def test_what_plans_or_runs_jobs(given, expected):
    assert arguments.is_run(given) == expected


def test_what_only_plans():
    assert arguments.is_dry(["-n"]) and arguments.is_dry(["quick", "--dry-run"])
    assert not arguments.is_dry(["--cores", "2", "results/n.md"])
