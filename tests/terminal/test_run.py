"""What is shown of a run, from made-up records."""

import json

import pytest

from snakemake_logger_plugin_cr5.run import Run, duration, job_name
from snakemake_logger_plugin_cr5.terminal import CLEAR, Terminal

STAMP = "2026-11-22 16:00:00,123"


def bags(folder, **kept):
    """Folders of bags with 100 documents each, of which some are kept."""
    for language, number in kept.items():
        (folder / language).mkdir(parents=True)
        counts = {"language": language, "documents": 100, "kept_documents": number, "words": 1000}
        (folder / language / "summary.json").write_text(json.dumps(counts))
    return [str(folder / language) for language in kept]


def test_a_stage_that_ends_tells_what_it_found(run, pipe, events, tmp_path):
    told = events(run)
    told.plan(bags=2, fit=1)
    for number, path in enumerate(bags(tmp_path, da=90, vi=30)):
        told.start(number, "bags", outputs=[path], language=path[-2:])
        assert pipe.getvalue() == ""
        told.finish(number)
    said = " ".join(pipe.getvalue().split())
    found = "80 of 200 documents dropped by bags.unique_words (vi: 70%); 2,000 words"
    assert said == f"bags 2 jobs 0 s {found}"
    assert all(len(line) < 80 for line in pipe.getvalue().splitlines())


def test_a_stage_whose_results_cannot_be_read_ends_all_the_same(run, pipe, events, tmp_path):
    told = events(run)
    told.plan(bags=1)
    told.start(1, "bags", outputs=[str(tmp_path / "none")])
    told.finish(1)
    assert pipe.getvalue().split() == ["bags", "1", "job", "0", "s"]


def test_the_best_system_of_the_first_setting_and_measure(run, pipe, events, tmp_path):
    rows = [
        "setting,task,similarity,metric,system,value",
        "joint,documents,cosine,Success@1,cr5,0.331",
    ]
    rows += [
        "joint,documents,cosine,Success@1,strings,0.112",
        "joint,documents,cosine,Success@5,strings,0.9",
    ]
    rows += [
        "pairwise,documents,cosine,Success@1,cr5,0.5",
        "joint,documents,csls,Success@1,strings,0.6",
    ]
    (tmp_path / "means.csv").write_text("\n".join(rows))
    told = events(run)
    told.plan(scores=1)
    told.start(1, "scores", outputs=[str(tmp_path / "scores.csv"), str(tmp_path / "means.csv")])
    told.finish(1)
    said = " ".join(pipe.getvalue().split())
    assert said.endswith("best of joint, documents, cosine: cr5, Success@1 33.1")


def test_the_live_line_has_what_runs_and_what_it_says(screen, events, tmp_path):
    run = Run(Terminal(screen))
    told = events(run)
    log = tmp_path / "fit.log"
    log.write_text(f"{STAMP} INFO epoch 1 of 9\n{STAMP} INFO epoch 2 of 9\nno line of ours\n")
    told.plan(fit=2, rank=8)
    told.start(1, "fit", log=log, setting="joint", system="cr5", repetition=1)
    assert run.line() == "0/10 fit joint cr5: epoch 2 of 9"
    assert screen.getvalue().endswith(CLEAR + run.line())
    told.start(2, "fit", setting="joint", system="opca", repetition=2)
    assert run.line() == "0/10 fit joint cr5: epoch 2 of 9 +1"
    log.write_text(f"{STAMP} INFO {'far too long ' * 9}\n")
    run.refresh()
    assert len(run.line()) == 79 and run.line().endswith("... +1")


def test_warnings_are_counted_and_shown_once(run, pipe, events, tmp_path):
    told = events(run)
    told.plan(fit=9)
    for number in range(9):
        log = tmp_path / f"{number}.log"
        text = f"{STAMP} INFO fine\n{STAMP} WARNING the best rank is at the edge\n"
        log.write_text(text + f"{STAMP} WARNING only {number}\n" * (number > 0))
        told.start(number, "fit", log=log, system=f"s{number}")
        told.finish(number)
    assert "| 17 warnings" in run.line()
    run.end(errors=0)
    said = pipe.getvalue()
    assert said.count("the best rank is at the edge") == 1
    assert "  fit s0 and 8 more: the best rank is at the edge.\n" in said
    assert "  fit s1: only 1.\n" in said
    assert "  and 3 others, see the log\n" in said


def test_a_failed_job_has_its_message_its_log_and_what_to_do(run, pipe, events, tmp_path):
    log = tmp_path / "fit.log"
    log.write_text(f"{STAMP} INFO begins\n{STAMP} ERROR Error: rank 9 is too high;\nchoose 3\n")
    told = events(run)
    told.plan(fit=1, rank=3)
    told.start(1, "fit", log=log, setting="joint", system="cr5")
    told.fail(1, "fit", log=log)
    expected = f"Failed: fit joint cr5\n  rank 9 is too high;\n  choose 3\n  its log: {log}\n"
    assert pipe.getvalue() == expected
    run.log = "run.log"
    run.end(errors=1)
    said = " ".join(pipe.getvalue()[len(expected) :].split())
    assert said == (
        "1 job failed, 3 could not be started without; 0 are done. Correct what is said above. "
        "Call the same command again to go on from there. Log: run.log"
    )


def test_a_job_that_is_repeated_with_success_has_not_failed(run, pipe, events):
    told = events(run)
    told.plan(fit=1)
    told.start(1, "fit")
    told.fail(1, "fit")
    told.start(1, "fit")
    told.finish(1)
    assert not run.failed
    run.end(errors=0)
    assert "Done: 1 job in" in pipe.getvalue()


@pytest.mark.parametrize("signal", ["SIGINT", ""])
def test_an_interruption_is_no_failure(run, pipe, events, signal):
    told = events(run)
    told.plan(fit=2)
    told.start(1, "fit")
    if not signal:
        run.interrupt()
    told.fail(1, "fit", detail=f"Command 'x' died with <Signals.{signal}: 2>." if signal else "")
    assert "Failed" not in pipe.getvalue()
    run.interrupt()
    run.end(errors=1)
    assert "Interrupted after 0 of 2 jobs. Call the same command again" in pipe.getvalue()


def test_what_is_shown_in_the_end_comes_last(run, pipe, events):
    told = events(run)
    told.plan(fit=1)
    run.conclusion = ["a table", "", "a command"]
    told.start(1, "fit")
    told.finish(1)
    run.log = "run.log"
    run.end(errors=0)
    assert pipe.getvalue().endswith("\n\na table\n\na command\nLog:         run.log\n")


def test_nothing_to_do(run, pipe):
    run.nothing = True
    run.end(errors=0)
    assert pipe.getvalue() == "Nothing to do: every result is there and up to date.\n"


def test_names_of_jobs():
    assert job_name("draw", {"repetition": "1"}) == "draw"
    wildcards = {"setting": "joint", "system": "cr5", "repetition": "2"}
    assert job_name("fit", wildcards) == "fit joint cr5 2"
    assert job_name("fit", None) == "fit"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.4, "0 s"),
        (59.6, "1 min 0 s"),
        (236, "3 min 56 s"),
        (7500, "2 h 5 min"),
    ],
)
def test_durations(seconds, said):
    assert duration(seconds) == said
