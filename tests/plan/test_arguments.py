"""Arguments of ./run. Orders are written down by hand from how snakemake reads `nargs="+"`."""

import pytest

from cr5.base.errors import UserError
from cr5.plan import arguments

TARGET = "results/mine/tables/table1.md"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("mine.yaml", "more.yml", "my file", "other.json"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "out.yaml").write_text("results: out")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["-n", "--configfile", "mine.yaml", TARGET], [TARGET, "-n", "--configfile", "mine.yaml"]),
        (["--configfiles", "my file", "a b"], ["a b", "--configfiles", "my file"]),
        (["--configfile", "mine.yaml", "more.yml", "other.json", "quick", "-n"],
         ["quick", "--configfile", "mine.yaml", "more.yml", "other.json", "-n"]),
        (["--configfile", "mine.yaml", "results/mine/run.json", "./results/mine/config.yaml"],
         ["results/mine/run.json", "./results/mine/config.yaml", "--configfile", "mine.yaml"]),
        (["--configfile", "out.yaml", "out/mine/run.json"],
         ["out/mine/run.json", "--configfile", "out.yaml"]),
        (["--configfile", "mine.yaml", "--", TARGET], ["--configfile", "mine.yaml", "--", TARGET]),
        (["--configfile=mine.yaml", TARGET], ["--configfile=mine.yaml", TARGET]),
        (["quick", "--configfile", "mine.yaml"], ["quick", "--configfile", "mine.yaml"]),
        (["--config", "seed=7", "corpus={path: a b}", TARGET],
         [TARGET, "--config", "seed=7", "corpus={path: a b}"]),
        (["-C", "results/a=b", "-j", "2"], ["results/a=b", "-C", "-j", "2"]),
        (["--resources", "downloads=1", "a", "--rerun-triggers", "a", "params"],
         ["--resources", "downloads=1", "a", "--rerun-triggers", "a", "params"]),
        ([], []),
    ],
)  # fmt: skip
def test_targets_are_told_from_values(given, expected):
    assert arguments.targets_first(given) == expected


def test_a_key_within_a_section_is_refused():
    with pytest.raises(UserError, match=r"Write bags: \{min_documents: 5\} into a file"):
        arguments.targets_first(["--config", "seed=7", "bags.min_documents=5"])


def test_all_configuration_files_are_found():
    given = ["--configfile=a.yaml", "x", "--configfiles", "b", "c.yml", "-n", "d.yaml", "--", "e"]
    assert list(arguments.named_files(given)) == ["a.yaml", "b", "c.yml"]


@pytest.mark.parametrize(
    "given",
    [["--cores", "0"], ["--cores=0"], ["-c0"], ["-c", "0"], ["-j0"], ["--jobs", "00"], ["-c-0"]],
)
def test_no_cores_are_refused(given):
    with pytest.raises(UserError, match=rf"^{given[0].split('=')[0]}: "):
        arguments.check_cores(["quick", *given, "-n"])


@pytest.mark.parametrize("given", [["--cores", "all"], ["-c10"], ["-j", "10"], [], ["--cores"]])
def test_some_cores_are_not(given):
    arguments.check_cores(given)


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
