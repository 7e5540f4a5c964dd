"""Runs of `.test`: what its user sees, mistakes, as a module of another workflow; and `quick`."""

import json
import lzma
import re
import shlex
import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

from tests.kit.corpus import CORPUS, LANGUAGES, give
from tests.kit.run import MEANS, PROFILE, ROOT, ended, scores, small

DOCUMENTS, OTHERS = (f"results/tiny/documents/{language}" for language in ("da", "en"))
SYSTEMS = {"cr5": {"rank": 10}, "lexical_overlap": {}}


def test_its_text_is_made_up_by_the_tests(tmp_path):
    give(tmp_path)
    for language in LANGUAGES:
        paths = (x / f"{language}.jsonl.xz" for x in (ROOT / ".test" / "data", tmp_path))
        here, there = (lzma.decompress(path.read_bytes()) for path in paths)
        assert here == there


@pytest.mark.slow
def test_a_workflow_that_has_this_one_as_a_module_which_goes_on_by_itself(tmp_path):
    """In a folder with the configuration and its text, by the Snakefile of docs/extending.md."""
    for part in ("config", "data"):
        shutil.copytree(ROOT / ".test" / part, tmp_path / part)
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    module = page.split("```text\nmodule cr5:")[1].split("```")[0]
    module = module.replace("path/to/cr5", str(ROOT)).replace("results/tiny", "results/made_up")
    shown = f'configfile: "config/config.yaml"\n\nmodule cr5:{module}'
    (tmp_path / "Snakefile").write_text(shown)
    snakemake = [sys.executable, "-m", "snakemake", "--cores", "2"]
    for text in ("summary.txt", "Nothing to be done"):
        done = ended([*snakemake, "summary.txt"], tmp_path)
        assert done.returncode == 0 and text in done.stdout, done.stdout[-3000:]
    assert len((tmp_path / "summary.txt").read_text().splitlines()) == 3

    alone = ["--directory", tmp_path, "--snakefile", ROOT / "Snakefile"]
    done = ended([*snakemake, *PROFILE, *alone], ROOT)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "rule explore:" in done.stdout and "rule fit:" not in done.stdout
    assert (tmp_path / "results" / "made_up" / "report.html").exists()
    means = scores(tmp_path / "results" / "made_up", MEANS)
    best = means[(means["setting"] == "joint") & (means["metric"] == "Success@1")]
    best = best.groupby("system")["value"].max()
    assert best["cr5"] > best["lexical_overlap"] > 0  # a tenth of the words are common


@pytest.mark.slow
def test_quick_makes_the_first_table_of_what_needs_little(tmp_path):
    """And says that jobs used all of their processor, where they did."""
    systems = {"cr5": {"rank": 10}, "lexical_overlap": {}, "procrustes": {"seeds": "identical"}}
    run = small(tmp_path, languages=["da", "en"], systems=systems, processor="own")
    status, message = started(run, "quick")
    search = shlex.split(re.search("^Search it: +(.+)$", message, re.MULTILINE)[1])
    search[search.index("your own words")] = next(iter(CORPUS.documents["en"].values()))
    assert (status, ended([ROOT / "run", *search[1:]], run.folder).returncode) == (0, 0)
    fit = json.loads((run.results / "models/joint/cr5/1/fit.json").read_text())
    assert fit["processor"]["choice"] == "own"
    told = f"all of a processor used ({' and '.join(fit['processor']['kernels'])})"
    assert told in (run.results / "quick" / "report" / "table1.md").read_text(encoding="utf-8")
    table = pd.read_csv(run.results / "quick" / "tables" / "scores.csv")
    assert set(table["system"]) == {"cr5", "lexical_overlap"}
    assert not (run.results / "vectors").exists()

    # The whole run, and a language more, replace nothing of it.
    run.configure(run.configuration | {"languages": ["da", "en", "it"]})
    assert "made with other settings" not in run("--dry-run").stdout
    assert "joint/cr5, " in run("quick", "--dry-run", "--config", "seed=7").stdout


def started(run, *arguments):
    """The exit status, and what is said after the line that names the configuration."""
    done = run.started(*arguments)
    first, _, message = done.stdout.partition("\n")
    assert first == "Configuration: run.yaml"
    return done.returncode, message


def test_a_small_run_that_fails_first(tmp_path):
    run = small(tmp_path, systems=SYSTEMS)
    path = run.folder / "corpus/da.jsonl.xz"
    text = path.read_bytes()
    path.write_bytes(b"no archive")
    status, message = started(run, DOCUMENTS, OTHERS)
    assert status == 1
    assert message.startswith("Failed: documents da\n  corpus/da.jsonl.xz, line 1: ")
    assert "its log: results/tiny/logs/documents/da.log\n1 job failed, 1 of 2 are done" in message
    assert "Call the same command again" in message and "Traceback" not in message

    path.write_bytes(text)
    status, message = started(run, DOCUMENTS)
    assert status == 0
    lines = message.splitlines()
    begins = [line.split()[0] for line in lines if line]
    # on slow machines progress is told
    unexpected = [word for word in begins if not re.fullmatch(r"\d+/\d+", word)]
    assert unexpected == ["corpus", "Done:", "Log:"]
    assert max(map(len, lines[:-1])) < 80
    log = Path(lines[-1].split()[1]).read_text()
    assert "rule documents:" in log and "[documents da] " in log  # of snakemake, and of a job

    assert started(run, DOCUMENTS, OTHERS) == (0, "Nothing to do: every result is there.\n")
    status, message = started(run, "quikc")
    assert status == 1
    assert message.startswith("Error: No rule to produce quikc")


def test_numbers_of_cores_with_which_nothing_starts_are_refused(tmp_path):
    run = small(tmp_path)
    for arguments, message in (
        (["--cores", "0"], "--cores 0: expected 1 or more; `--cores all` takes"),
        (["--cores", "-1"], "--cores -1: expected 1 or more"),
        (["--cores", "many"], "must be integer or 'all'"),
    ):
        refused = run.started(*arguments)
        assert refused.returncode == 1 and message in refused.stdout
        assert "Traceback" not in refused.stdout
    assert not run.results.exists()


def test_command_line_keys_change_the_default_and_a_file_with_a_corpus_stands_alone(tmp_path):
    """And of a file, a key that stands twice is named by plain snakemake too."""
    run = small(tmp_path)
    changed = run("--dry-run", "--config", "corpus={path: nowhere}", check=False, name="")
    assert "Missing input files for rule documents" in changed.stdout
    assert "nowhere" in changed.stdout
    refused_key = run("--dry-run", "--config", "seed=-1", check=False)
    assert "seed: Input should be greater than or equal to 0" in refused_key.stdout
    with (run.folder / "run.yaml").open("a") as file:
        file.write("seed: 1\nseed: 2\n")
    refused = run("--dry-run", check=False)
    assert refused.returncode != 0
    assert re.search("run.yaml, line .* the key 'seed' was already on line", refused.stdout)
    assert "Traceback" not in refused.stdout


def test_a_plan_says_what_would_stop_a_run_and_makes_nothing(tmp_path):
    run = small(tmp_path, corpus={"name": "tiny", "source": "wikipedia"}, systems=SYSTEMS)
    plan = run.started("-n")
    assert plan.returncode == 0
    assert "A run would not start: corpus.contact: " in " ".join(plan.stdout.split())
    planned = re.findall(r"^(\w+) +(\d+)$", plan.stdout, re.MULTILINE)
    assert planned[1] == ("bags", "3")
    assert not run.results.exists()
    (tmp_path / "flat").mkdir()
    flat = {"name": "tiny", "source": "wikipedia", "base": "flat"}
    stems = {"bags": {"stemmer": "snowball"}, "languages": ["en", "da", "vi"]}
    run.configure(run.configuration | {"corpus": flat} | stems)
    plan, stopped = run.started("-n"), run.started()
    for refused in (plan, stopped):
        for wiki in ("dawiki", "enwiki", "viwiki"):
            assert f"{wiki}: nothing complete of latest" in " ".join(refused.stdout.split())
    assert (plan.returncode, stopped.returncode) == (0, 1)
    assert not run.results.exists()
    assert plan.stdout.count("no stemmer here for vi;") == 1


def test_notes_and_results_may_be_elsewhere(tmp_path):
    """As where the checkout cannot be written."""
    run, elsewhere = small(tmp_path), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (run.folder / "config/config.yaml").write_text(yaml.safe_dump(run.configuration))
    (run.folder / "corpus").rename(elsewhere / "corpus")
    run(DOCUMENTS, "--directory", elsewhere, name="")
    assert (elsewhere / DOCUMENTS).exists()
    assert not run.files()
    (elsewhere / "results/tiny/bags").mkdir()  # as of a run that is done
    verified = run.cr5("verify", "elsewhere/results/tiny")
    assert verified.stdout == "1 results and all of their files are as the run made them.\n"
    moved = tmp_path / "moved" / "results"
    moved.parent.mkdir()
    (elsewhere / "results").rename(moved)
    (elsewhere / "results").symlink_to(moved)
    for place, folder in (("elsewhere/results/tiny", "."), (f"{moved}/tiny", elsewhere)):
        assert run.cr5("verify", place, CR5_CALLED_FROM=str(folder)).stdout == verified.stdout
    assert "Its inputs were not looked for: " in run.cr5("verify", f"{moved}/tiny").stdout
    (elsewhere / "corpus/da.jsonl.xz").unlink()
    refused = run.cr5("verify", "elsewhere/results/tiny", check=False)
    assert "corpus/da.jsonl.xz: gone, though" in refused.stdout
