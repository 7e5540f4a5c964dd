"""What `./run` makes of its arguments before snakemake reads them."""

import os

import pytest

from cr5.base.errors import UserError
from cr5.plan import start
from cr5.plan.replaced import MAY_REPLACE


@pytest.fixture
def user_folder(tmp_path, monkeypatch):
    """Give the folder where the user stands; this process runs in another, the checkout."""
    user = tmp_path / "user"
    checkout = tmp_path / "checkout"
    (user / "slurm").mkdir(parents=True)
    (user / "mine.yaml").touch()
    (user / "both.yaml").touch()
    (checkout / "slurm").mkdir(parents=True)
    (checkout / "cluster").mkdir()
    (checkout / "full.yaml").touch()
    (checkout / "both.yaml").touch()
    monkeypatch.chdir(checkout)
    return user


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("quick --configfile mine.yaml", "quick --configfile USER/mine.yaml"),
        ("--configfile=mine.yaml", "--configfile=USER/mine.yaml"),
        ("--configfile both.yaml full.yaml -n", "--configfile USER/both.yaml full.yaml -n"),
        ("--configfiles none.yaml", "--configfiles USER/none.yaml"),  # which the error names
        ("--configfile /a/mine.yaml", "--configfile /a/mine.yaml"),
        ("--directory cluster quick", "--directory USER/cluster quick"),
        ("--report both.yaml", "--report USER/both.yaml"),
        ("--report=full.yaml", "--report=USER/full.yaml"),
        ("-d new mine.yaml", "-d USER/new mine.yaml"),
        ("--profile slurm mine.yaml", "--profile USER/slurm mine.yaml"),
        ("--profile cluster", "--profile cluster"),
        ("--profile a_name", "--profile a_name"),
        ("--config path=mine.yaml results/x", "--config path=mine.yaml results/x"),
        ("--workflow-profile slurm", "--workflow-profile slurm"),
    ],
)
def test_paths_count_from_the_user_s_folder_and_else_from_the_checkout(
    user_folder, arguments, expected
):
    understood = start.understood(arguments.split(), user_folder)
    assert " ".join(understood) == expected.replace("USER", str(user_folder))


def test_in_the_checkout_paths_stay_as_they_are_typed(user_folder, monkeypatch):
    monkeypatch.chdir(user_folder)
    arguments = ["--configfile", "mine.yaml", "-d", "new"]
    assert list(start.understood(arguments, user_folder)) == arguments


def test_replace_is_for_the_rules_and_not_for_snakemake(user_folder, monkeypatch):
    monkeypatch.delenv(MAY_REPLACE, raising=False)
    assert list(start.understood(["-n", "--replace", "x"], user_folder)) == ["-n", "x"]
    assert os.environ.pop(MAY_REPLACE)


@pytest.mark.parametrize(("logger", "is_told"), [(["--logger=cr5"], False), ([], True)])
def test_the_profile_of_every_call_is_told_in_snakemake_s_own_text_alone(
    tmp_path, capsys, logger, is_told
):
    (tmp_path / "config.yaml").write_text("cores: 3\n")
    snakefile = tmp_path / "Snakefile"
    snakefile.touch()
    place = ["--workflow-profile", str(tmp_path), "--snakefile", str(snakefile)]
    _, parsed = start._parsed(logger + place)
    assert parsed.cores == 3
    assert ("Using workflow specific profile" in capsys.readouterr().err) == is_told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("--config seed=1 --config threads={}", "--config: given twice"),
        ("-C seed=1 results=x seed=2 -n", "--config seed: given twice; give it once"),
        ("--configfile a.yaml -n --configfiles=b.yaml", "--configfile: given twice"),
        ("--set-threads fit=1 --set-threads rank=2", "--set-threads: given twice"),
        ("-Cseed=1 --config=threads={}", "-C: given twice"),
        ("-U fit x --until=rank", "-U: given twice; give all its values at one place, -U A B"),
    ],
)
def test_values_that_snakemake_would_drop_are_refused(arguments, told):
    with pytest.raises(SystemExit, match=f"^run: {told}"):
        start.main(arguments.split())


def test_what_is_wrong_with_arguments_is_told(capsys):
    with pytest.raises(SystemExit):
        start._parsed(["--logger=cr5", "--until"])
    message = capsys.readouterr().err
    assert "expected at least one argument" in message and "./run cluster" not in message


def test_a_profile_whose_executor_is_not_installed_is_told_what_installs_it(capsys):
    with pytest.raises(SystemExit):
        start._parsed(["--executor", "of-nobody"])
    *_, line = capsys.readouterr().err.splitlines()
    assert "./run cluster installs" in line


@pytest.mark.parametrize("entry", ["seed", "corpus.name=b", "=7", "results/x"])
def test_what_follows_config_and_is_no_key_with_a_value_is_refused(entry):
    with pytest.raises(UserError, match=f"^--config {entry}: expected a key with a value"):
        start._check_keys(["seed=7", entry])
