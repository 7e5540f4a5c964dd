"""Runs that are resumed, and what is done again where something changes, promised in README."""

import lzma
import os
import re
import shutil

import pytest

from cr5.base.files import alone
from tests.kit.corpus import LANGUAGES
from tests.kit.run import Run, everything, give_all, small

ELSEWHERE = {"LC_ALL": "C", "TZ": "Pacific/Apia", "PYTHONHASHSEED": "1"}


@pytest.fixture
def copy(finished, tmp_path):
    return finished.copied(tmp_path / "run")


def test_one_core_and_other_surroundings_change_no_byte(request, tmp_path):
    """Of what is trained in threads; the run that it is held against was killed and resumed."""
    configuration = everything()
    configuration["settings"] = {"joint": {"tasks": ["documents"]}}
    configuration["tasks"] = {"documents": {}}
    systems = ("cr5", "procrustes", "network")
    configuration["systems"] = {name: configuration["systems"][name] for name in systems}
    give_all(tmp_path)
    on_one_core = Run(tmp_path, configuration)
    on_one_core.alone("--until", "rank", "--cores", "1", **ELSEWHERE)
    finished = request.getfixturevalue("finished")  # made meanwhile, where tests share the cores
    parts = ("bags", "draws", "vectors", "models", "ranks")
    checksums = on_one_core.checksums(*parts)
    expected = finished.checksums(*parts)
    assert len(checksums) > 60
    assert {path.split("/")[2] for path in checksums if path.startswith("models")} == set(systems)
    assert [path for path in checksums if checksums[path] != expected[path]] == []


def test_one_core_and_other_surroundings_change_no_table(copy):
    parts = ("tables", "report", "runs", "explore")
    expected = copy.checksums(*parts)
    assert len(expected) > 50
    for part in parts:
        shutil.rmtree(copy.results / part)
    copy.alone("--cores", "1", **ELSEWHERE)
    assert copy.checksums(*parts) == expected


def test_neither_comments_nor_touched_files_rerun_anything(copy):
    paths = list((copy.folder / "workflow").rglob("*.py"))
    paths.append(copy.folder / "network.py")
    assert len(paths) > 100
    for path in paths:
        with path.open("a") as file:
            file.write("\n# A comment.\n")
    given = copy.folder / "given"
    inputs = list(given.rglob("*"))
    assert len(inputs) >= 30
    for path in [given] + inputs:
        path.touch()
    assert copy.planned() == []


def test_files_count_by_their_content_whatever_their_dates(tmp_path):
    """Touched, copied and unpacked again, nothing is done; of the same size and older, its own is.

    They are of 5 MB: up to 1 MB snakemake itself compares checksums of newer files.
    """
    corpus = {"name": "tiny", "source": "files", "path": "my données/{language}.jsonl"}
    run = small(tmp_path / "run", corpus=corpus)
    texts = run.folder / "my données"
    texts.mkdir()
    rows = [f'{{"concept": "{number}", "text": "bado {number}"}}\n' for number in range(100)]
    for language in LANGUAGES:
        (texts / f"{language}.jsonl").write_text("".join(rows) + " " * 5_000_000 + "\n")
    documents = [f"results/tiny/documents/{language}" for language in LANGUAGES]
    run(*documents)
    da, en, it = (texts / f"{language}.jsonl" for language in ("da", "en", "it"))
    en.touch()
    shutil.copyfile(da, tmp_path / "copy")
    (tmp_path / "copy").replace(da)
    packed = lzma.compress(it.read_bytes(), preset=0)
    it.unlink()
    it.write_bytes(lzma.decompress(packed))
    assert run.planned(*documents) == []
    changed(en, "bado 7", "bade 7")
    assert run.planned(*documents) == ["results/tiny/documents/en"]

    changed(it, "bado 7", "bade 7")
    os.utime(it, (5e9, 5e9))
    future = run(*documents, check=False).stdout
    it.unlink()
    os.mkfifo(it)
    pipe = run(*documents, check=False).stdout
    assert "it.jsonl: its date, 2128-06-" in future and "rule documents:" not in future
    assert "it.jsonl: neither a file nor a folder" in pipe and "rule documents:" not in pipe


def changed(path, old, new):
    """Put a file in place of one that is newer; nothing else tells it by size or date."""
    open_text = open
    if path.suffix == ".xz":
        open_text = lzma.open
    with open_text(path, "rt") as file:
        content = file.read()
    assert old in content
    with open_text(path, "wt") as file:
        file.write(content.replace(old, new, 1))
    os.utime(path, (1, 1))


def planned(run):
    """Parts of the results, files of documents and bags, and fits that would be made anew."""
    paths = [tuple(path.split("/")[2:]) for path in run.planned()]
    inputs = {"/".join(parts) for parts in paths if parts[0] in ("documents", "bags")}
    return (
        {parts[0] for parts in paths},
        inputs,
        {parts[1:3] for parts in paths if parts[0] == "models"},
    )


def test_changed_systems_are_fitted_again_and_no_others(copy):
    """A module behind a family of ours, one behind another system, and one of one's own."""
    systems = "workflow/cr5/systems"
    paths = (f"{systems}/baselines/strings.py", f"{systems}/ridge/dense_solver.py", "network.py")
    for path in paths:
        changed(copy.folder / path, "\n\n\n", "\n\n\nCHANGED = 1\n\n\n")
    parts, _, fits = planned(copy)
    family = {"bm25_translated", "lexical_overlap"}
    assert {system for _, system in fits} == family | {"cr5", "network"}
    assert parts >= {"ranks", "tables", "report"}
    assert not parts & {"documents", "bags", "draws", "settings", "vectors"}


def test_a_changed_tokeniser_and_older_texts_rerun_everything_after_them(copy):
    """Documents are read again where their file is another; all bags are of the tokeniser."""
    changed(copy.folder / "workflow/cr5/counts/tokens.py", "\ndef ", "\nCHANGED = 1\n\n\ndef ")
    changed(copy.folder / "given" / "da.jsonl.xz", " o", " u")
    parts, inputs, _ = planned(copy)
    assert parts >= {"draws", "settings", "vectors", "models", "ranks", "tables", "report"}
    bags = {f"bags/{language}" for language in LANGUAGES}
    assert inputs == bags | {"documents/da"}


def test_a_changed_key_and_files_that_older_ones_replaced_refit_their_systems_alone(copy):
    """A dictionary, an encoder and judgements: what was made of other files stays."""
    configuration = copy.configuration
    configuration["systems"]["network"]["dimension"] = 5
    copy.configure(configuration)
    for path, old, new in (
        ("da-en.dict", "oba", "oda"),
        ("encoder/README.md", "model2vec", "model3vec"),
        ("qrels", " 1\n", " 2\n"),
    ):
        changed(copy.folder / "given" / path, old, new)
    parts, _, fits = planned(copy)
    assert {system for _, system in fits} == {"procrustes", "nothing_shared", "encoder", "network"}
    assert "tasks" in parts
    assert not parts & {"documents", "bags", "draws", "settings", "vectors"}


def test_finished_ranks_are_replaced_only_where_that_is_asked_for(copy):
    seed = ("--config", "seed=7")
    refused = copy(*seed, check=False)
    assert refused.returncode == 1
    assert re.search(r"joint/cr5, .*: .*seed: 123 -> 7.*\n--replace makes", refused.stdout)
    assert "A run would not start: finished results" in copy("--dry-run", *seed).stdout
    assert "would not start" not in copy("--dry-run", "results/tiny/draws/1", *seed).stdout
    assert "To be replaced: " in copy("--dry-run", *seed, CR5_REPLACE="yes").stdout


@pytest.mark.slow
def test_without_snakemake_s_notes_what_is_of_other_settings_is_made_again_and_nothing_lost(
    tmp_path,
):
    """Nor where the corpus is not there, or another run writes."""
    run = small(tmp_path / "run", systems={"lexical_overlap": {}})
    documents = [f"results/tiny/documents/{language}" for language in LANGUAGES]
    run(*documents, "results/tiny/draws/1")
    before = run.checksums("documents", "bags", "draws")
    shutil.rmtree(run.folder / ".snakemake")
    (run.folder / "corpus").rename(run.folder / "away")
    refused = run.started(*documents)
    assert refused.returncode == 1 and "corpus.path: there is no " in refused.stdout
    message = run.started("results/tiny/draws/1").stdout
    assert message.count(" stays as it is: ") == len(LANGUAGES) and "Nothing to do" in message
    assert run.checksums("documents", "bags", "draws") == before

    (run.folder / "away").rename(run.folder / "corpus")
    assert run.planned("results/tiny/draws/1") == []
    changed(run.folder / "corpus/da.jsonl.xz", " o", " u")
    assert "Nothing to do" in run.started("-n", "results/tiny/bags/en").stdout
    plan = run.started("-n", "results/tiny/bags/da").stdout
    assert "documents/da is to be made again" in plan and "2 jobs to run: " in plan
    with alone(run.results):
        for target in ("da", "en"):  # of which one is there
            beside = run.started(f"results/tiny/bags/{target}")
            assert beside.returncode == 1 and "another run writes there" in beside.stdout
    assert run.checksums("documents", "bags", "draws") == before
    run("results/tiny/bags/da")
    again = run.checksums("documents", "bags", "draws")
    assert {path.split("/")[1] for path in before if again[path] != before[path]} == {"da"}


def test_without_snakemake_s_notes_a_whole_run_is_held_against_the_plan(copy):
    """Also where the default target is that of the file at the top."""
    shutil.rmtree(copy.folder / ".snakemake")
    assert "Nothing to do" in copy.started("-n").stdout
    plan = copy.started("-n", "--config", "seed=7").stdout
    assert "draws/1 is to be made again" in plan
    assert "A run would not start: finished results" in plan


def test_systems_tasks_and_titles_replace_nothing_and_a_key_what_it_is_of(copy):
    configuration = copy.configuration
    configuration["systems"]["cr5"]["title"] = "Ours"
    configuration["systems"]["more"] = {"module": "cr5", "rank": 5}
    configuration["tasks"]["words"] = {"module": "lexicon_induction"} | configuration["tasks"][
        "lexicon_induction"
    ]
    configuration["settings"]["joint"]["tasks"].append("words")
    copy.configure(configuration)
    plan = copy("--dry-run").stdout
    assert "models/joint/more/1" in plan and "made with other settings" not in plan
    changed = copy("--dry-run", "--config", "vectors={epochs: 2}", "systems={cr5: {rank: 9}}")
    lines = [line.strip() for line in changed.stdout.splitlines() if " -> " in line]
    of_cr5 = ["joint", "low_resource_da-it_20", "low_resource_da-it_40", "transitive_da-it"]
    assert lines == [
        f"{', '.join(f'{setting}/cr5' for setting in of_cr5)}: systems.cr5.rank: 10 -> 9",
        "joint/procrustes, other_tasks_da-en/procrustes: vectors.epochs: 1 -> 2",
    ]


@pytest.mark.slow
def test_the_order_of_languages_changes_no_rank(finished, tmp_path):
    """Nor does the order of a pair; tables have other orders."""
    turned = everything() | {"languages": everything()["languages"][::-1]}
    turned["settings"]["other_tasks"]["pairs"] = ["en-da"]
    turned["settings"]["low_resource"]["pairs"] = ["it-da"]
    give_all(tmp_path)
    run = Run(tmp_path, turned)
    run("--until", "rank")
    parts = ("draws", "settings", "models", "ranks")
    checksums = run.checksums(*parts)
    expected = finished.checksums(*parts)
    with_an_order = ("fit.json", "about.json", "pairs.parquet")
    without_an_order = [path for path in expected if not path.endswith(with_an_order)]
    assert len(without_an_order) > 50
    changed_paths = [path for path in without_an_order if checksums.get(path) != expected[path]]
    assert changed_paths == []
