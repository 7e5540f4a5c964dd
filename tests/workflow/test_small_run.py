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

DANISH = "results/tiny/documents/da"
ENGLISH = "results/tiny/documents/en"
SYSTEMS = {"cr5": {"rank": 10}, "lexical_overlap": {}}
PROGRESS = re.compile(r"planning the run$|\d+/\d+ ", re.MULTILINE)


def unpacked(path):
    return lzma.decompress(path.read_bytes())


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_text_is_made_up_by_the_tests(tmp_path, language):
    give(tmp_path)
    name = f"{language}.jsonl.xz"
    assert unpacked(ROOT / ".test" / "data" / name) == unpacked(tmp_path / name)


@pytest.mark.slow
def test_a_workflow_that_has_this_one_as_a_module_which_goes_on_by_itself(tmp_path):
    """In a folder with the configuration and its text, by the Snakefile of docs/extending.md."""
    for part in ("config", "data"):
        shutil.copytree(ROOT / ".test" / part, tmp_path / part)
    (tmp_path / "Snakefile").write_text(snakefile_of_the_page())
    for text in ("summary.txt", "Nothing to be done"):
        done = snakemake(tmp_path, ["summary.txt"])
        assert text in done.stdout
    summary = (tmp_path / "summary.txt").read_text()
    assert len(summary.splitlines()) == 3

    alone = ["--directory", tmp_path, "--snakefile", ROOT / "Snakefile"]
    done = snakemake(ROOT, list(PROFILE) + alone)
    results = tmp_path / "results" / "made_up"
    assert "rule explore:" in done.stdout
    assert "rule fit:" not in done.stdout
    assert (results / "report.html").exists()
    means = scores(results, f"{MEANS} and setting == 'joint' and metric == 'Success@1'")
    best = means.groupby("system")["value"].max()
    assert best["cr5"] > best["lexical_overlap"] > 0  # a tenth of the words are common


def snakefile_of_the_page():
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    code = page.split("```text\nmodule cr5:")[1]
    module = code.split("```")[0]
    module = module.replace("path/to/cr5", str(ROOT))
    module = module.replace("results/tiny", "results/made_up")
    return f'configfile: "config/config.yaml"\n\nmodule cr5:{module}'


def snakemake(folder, arguments):
    """Run it in a folder to its end."""
    command = [sys.executable, "-m", "snakemake", "--cores", "2"]
    done = ended(command + arguments, folder)
    assert done.returncode == 0, done.stdout[-3000:]
    return done


@pytest.mark.slow
def test_quick_makes_the_first_table_of_what_needs_little(tmp_path):
    """And says that jobs used all of their processor, where they did."""
    systems = {"cr5": {"rank": 10}, "lexical_overlap": {}, "procrustes": {"seeds": "identical"}}
    run = small(tmp_path, languages=["da", "en"], systems=systems, processor="own")
    status, message = started(run, "quick")
    assert status == 0
    search = search_told(message)
    search[0] = ROOT / "run"  # which the copy lacks
    assert ended(search, run.folder).returncode == 0
    fit = json.loads((run.results / "models/joint/cr5/1/fit.json").read_text())
    assert fit["processor"]["choice"] == "own"
    kernels = " and ".join(fit["processor"]["kernels"])
    page = (run.results / "quick" / "report" / "table1.md").read_text(encoding="utf-8")
    assert f"all of a processor used ({kernels})" in page
    table = pd.read_csv(run.results / "quick" / "tables" / "scores.csv")
    assert set(table["system"]) == {"cr5", "lexical_overlap"}
    assert not (run.results / "vectors").exists()

    # The whole run, and a language more, replace nothing of it.
    run.configure(run.configuration | {"languages": ["da", "en", "it"]})
    assert "made with other settings" not in run("--dry-run").stdout
    assert "joint/cr5, " in run("quick", "--dry-run", "--config", "seed=7").stdout


def search_told(message):
    """The command that a run tells to search with, for the text of a document."""
    command = re.search("^Search it: +(.+)$", message, re.MULTILINE)[1]
    text = next(iter(CORPUS.documents["en"].values()))
    return [text if word == "your own words" else word for word in shlex.split(command)]


def started(run, *arguments):
    """The exit status, and what is said after the line that names the configuration.

    But for the progress that is told on slow machines.
    """
    done = run.started(*arguments)
    first, _, message = done.stdout.partition("\n")
    assert first == "Configuration: run.yaml"
    lines = message.splitlines(keepends=True)
    return done.returncode, "".join(line for line in lines if not PROGRESS.match(line))


def test_a_small_run_that_fails_first(tmp_path):
    run = small(tmp_path, systems=SYSTEMS)
    path = run.folder / "corpus/da.jsonl.xz"
    text = path.read_bytes()
    lines_of_file = lzma.decompress(text).splitlines(keepends=True)
    path.write_bytes(lzma.compress(b"".join([*lines_of_file, b"no JSON\n"])))
    status, message = started(run, DANISH, ENGLISH)
    assert status == 1
    place = f"corpus/da.jsonl.xz, line {len(lines_of_file) + 1}"
    assert message.startswith(f"Failed: documents da\n  {place}: ")
    assert "its log: results/tiny/logs/documents/da.log\n1 job failed, 1 of 2 are done" in message
    assert "Call the same command again" in message
    assert "Traceback" not in message

    path.write_bytes(text)
    status, message = started(run, DANISH)
    assert status == 0
    lines = message.splitlines()
    first_words = [line.split()[0] for line in lines if line]
    assert first_words == ["corpus", "Done:", "Log:"]
    assert max(map(len, lines[:-1])) < 80
    _, path_of_log = lines[-1].split()
    log = Path(path_of_log).read_text()
    assert "rule documents:" in log  # of snakemake
    assert "[documents da] " in log  # of a job

    assert started(run, DANISH, ENGLISH) == (0, "Nothing to do: every result is there.\n")
    status, message = started(run, "quikc")
    assert status == 1
    assert message.startswith("Error: No rule to produce quikc")


def test_starts_a_second_are_limited_only_where_that_is_asked_for(tmp_path):
    """Snakemake's own limit would have it look for jobs again all the time."""
    run = small(tmp_path)
    limit = "Submitting maximum"
    assert limit not in run(ENGLISH, "--verbose").stdout
    limited = run(DANISH, "--verbose", "--max-jobs-per-timespan", "5/1s")
    assert f"{limit} 5 job(s) over" in limited.stdout


@pytest.mark.parametrize(
    ("n_cores", "message"),
    [
        ("0", "--cores 0: expected 1 or more; `--cores all` takes"),
        ("-1", "--cores -1: expected 1 or more"),
        ("many", "must be integer or 'all'"),
    ],
)
def test_numbers_of_cores_with_which_nothing_starts_are_refused(tmp_path, n_cores, message):
    run = small(tmp_path)
    refused = run.started("--cores", n_cores)
    assert refused.returncode == 1
    assert message in refused.stdout
    assert "Traceback" not in refused.stdout
    assert not run.results.exists()


def test_command_line_keys_change_the_default_and_a_file_with_a_corpus_stands_alone(tmp_path):
    """And of a file, a key that stands twice is named by plain snakemake too."""
    run = small(tmp_path)
    changed = run("--dry-run", "--config", "corpus={path: nowhere}", check=False, name="")
    assert "corpus.path: there is no nowhere; correct the path" in changed.stdout
    misspelt = "bags={stop_words: '{lang}/{language}'}"
    no_placeholder = run("--dry-run", "--config", misspelt, check=False)
    assert "bags.stop_words: there is no {lang}/da, no {lang}/en" in no_placeholder.stdout
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
    assert plan.returncode == 1
    assert "A run would not start: corpus.contact: " in in_one_line(plan.stdout)
    planned = re.findall(r"^(\w+) +(\d+)$", plan.stdout, re.MULTILINE)
    assert planned[1] == ("bags", "3")
    assert not run.results.exists()
    would_start = run.started("-n", "--config", "corpus={contact: a@example.org}")
    assert would_start.returncode == 0, would_start.stdout[-3000:]
    assert "would not start" not in would_start.stdout


def test_a_plan_says_what_lacks_in_a_folder_of_dumps_and_a_run_stops(tmp_path):
    (tmp_path / "flat").mkdir()
    run = small(
        tmp_path,
        corpus={"name": "tiny", "source": "wikipedia", "base": "flat"},
        languages=["en", "da", "vi"],
        bags={"stemmer": "snowball"},
        systems=SYSTEMS,
    )
    plan = run.started("-n")
    stopped = run.started()
    for refused in (plan, stopped):
        message = in_one_line(refused.stdout)
        assert "dawiki: nothing complete of latest" in message
        assert "enwiki: nothing complete of latest" in message
        assert "viwiki: nothing complete of latest" in message
    assert plan.returncode == 1
    assert stopped.returncode == 1
    assert not run.results.exists()
    assert plan.stdout.count("no stemmer here for vi;") == 1


def in_one_line(text):
    return " ".join(text.split())


def test_where_no_job_is_to_start_snakemake_tells_of_a_run(tmp_path):
    run = small(tmp_path)
    run(DANISH)
    run(DANISH, "--report", "jobs.html")
    assert (tmp_path / "jobs.html").stat().st_size > 100_000
    assert DANISH in run(DANISH, "--summary").stdout


def test_notes_and_results_may_be_elsewhere(tmp_path):
    """As where the checkout cannot be written."""
    run = small(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (run.folder / "config/config.yaml").write_text(yaml.safe_dump(run.configuration))
    (run.folder / "corpus").rename(elsewhere / "corpus")
    run(DANISH, "--directory", elsewhere, name="")
    assert (elsewhere / DANISH).exists()
    assert not run.files()
    (elsewhere / "results/tiny/bags").mkdir()  # as of a run that is done
    verified = run.cr5("verify", "elsewhere/results/tiny")
    assert verified.stdout == "1 results and all of their files are as the run made them.\n"
    moved = tmp_path / "moved" / "results"
    moved.parent.mkdir()
    (elsewhere / "results").rename(moved)
    (elsewhere / "results").symlink_to(moved)
    by_link = run.cr5("verify", "elsewhere/results/tiny", CR5_CALLED_FROM=".")
    assert by_link.stdout == verified.stdout
    from_elsewhere = run.cr5("verify", f"{moved}/tiny", CR5_CALLED_FROM=str(elsewhere))
    assert from_elsewhere.stdout == verified.stdout
    without_inputs = run.cr5("verify", f"{moved}/tiny")
    assert "Its inputs were not looked for: " in without_inputs.stdout
    (elsewhere / "corpus/da.jsonl.xz").unlink()
    refused = run.cr5("verify", "elsewhere/results/tiny", check=False)
    assert "corpus/da.jsonl.xz: gone, though" in refused.stdout
