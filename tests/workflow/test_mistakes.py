"""Bad input stops the run with a message that says what to do, and leaves nothing half-written."""

import lzma

import pytest


def spoil(path, number, text):
    """Replace one line (counted from 1) of a compressed file."""
    lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    lines[number - 1] = text
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def test_a_duplicate_concept_names_both_lines(new_run):
    run = new_run()
    spoil(run.folder / "corpus" / "bb.jsonl.xz", 9, '{"concept": "Q0", "text": "again"}')
    done = run("results/tiny/documents/bb.parquet", check=False)
    assert done.returncode != 0
    assert "line 9" in done.stdout
    assert "line 1" in done.stdout


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"systems": {"cr5": {"rnak": 3}}}, "systems.cr5.rnak: unknown key; did you mean 'rank'?"),
        (
            {"corpus": {"name": "x", "source": "wikipeda"}},
            "'matrix' or 'wikipedia', found 'wikipeda'",
        ),
        ({"tasks": {"judged": {}}}, "tasks.judged: give the path of a file as documents, queries"),
        (
            {
                "systems": {"word_by_word": {}},
                "alignments": {"path": "no/{source}-{target}"},
                "settings": {"joint": {}},
            },
            "alignments.path: there is no file no/aa-bb",
        ),
        (
            {"corpus": {"name": "x", "source": "libreoffice_help", "path": "nowhere"}},
            "corpus.path: there is no folder nowhere",
        ),
    ],
)
def test_a_wrong_configuration_stops_before_any_job(new_run, changes, expected):
    run = new_run(**changes)
    done = run("--dry-run", check=False)
    assert done.returncode != 0
    assert expected in done.stdout
    assert "Traceback" not in done.stdout


def test_command_line_keys_change_the_default_and_a_file_with_a_corpus_stands_alone(new_run):
    run = new_run()
    changed = run.default("--dry-run", "--config", "corpus={path: nowhere}", check=False)
    assert "corpus.path: there is no folder nowhere" in changed.stdout
    own = run("--dry-run", "--config", "seed=-1", check=False)
    assert "seed: expected 0 or more" in own.stdout


def test_what_failed_is_done_again_though_older_tables_are_there(new_run):
    """Snakemake takes the model away; tables made under other settings must not stand for it."""
    run = new_run(
        languages=["aa", "bb"],
        systems={"untranslated": {}, "toy": {"module": "toy_system.py"}},
        settings={"joint": {}},
    )
    table = "results/tiny/tables/table1.md"
    run(table)
    before = (run.folder / "toy_system.py").read_text()
    (run.folder / "toy_system.py").write_text(
        before + "\n\ndef fit(t, o):\n    raise ValueError(1)\n"
    )
    assert run(table, check=False).returncode != 0
    again = run(table, check=False)
    assert again.returncode != 0
    assert "Nothing to be done" not in again.stdout
