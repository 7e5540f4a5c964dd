"""Stages are named by the rules that exist; what is told of each."""

import json
import re
from logging import LogRecord
from pathlib import Path

import pytest

from snakemake_logger_plugin_cr5 import stages

WORKFLOW = Path(__file__).parents[2] / "workflow"
JOBS = {"default": 1, "fit": 18, "bags": 2, "documents": 1, "rank": 38, "own_rule": 1, "total": 61}


def test_every_rule_that_exists_has_a_stage_and_no_other():
    files = [WORKFLOW / "Snakefile", WORKFLOW.parent / "Snakefile", *WORKFLOW.glob("rules/*.smk")]
    text = "".join(path.read_text() for path in files)
    rules = re.findall(r"^ *(?:rule|checkpoint|use rule \w+ as) (\w+)", text, re.MULTILINE)
    named = [rule for of_stage in stages.STAGES.values() for rule in of_stage.split()]
    assert {*named, *stages.NO_WORK} == {*rules, "total"}
    assert len({*named}) == len(named)


def test_a_plan_has_the_stages_in_the_order_of_the_flow():
    planned = stages.by_stage(JOBS)
    rows = [line.split() for line in stages.table(planned, stages.by_stage(JOBS | {"bags": 4}))]
    assert rows[1:] == [
        ["corpus", "1", "0"],
        ["bags", "2", "2"],
        ["fits", "18", "0"],
        ["ranks", "38", "0"],
        ["own_rule", "1", "0"],
        ["all", "60", "2"],
    ]


def line(stage, *outputs):
    """The line of a stage with a job, without its time."""
    job = LogRecord("snakemake", 0, "", 0, "", (), None)
    job.output = [str(path) for path in outputs]
    return stages.line(stage, [job]).removeprefix(f"{stage:<11}    1 job            0 s").strip()


def test_what_the_corpus_and_the_bags_are(tmp_path):
    for language, kept in {"da": 90, "vi": 30}.items():
        (tmp_path / language).mkdir()
        counts = {"language": language, "documents": 100, "kept_documents": kept, "words": 1000}
        (tmp_path / language / "summary.json").write_text(json.dumps(counts))
    assert line("corpus", "r/documents/vi.parquet", "r/documents/da.json", "x/y") == "da, vi"
    said = "80 of 200 documents dropped by bags.unique_words (vi: 70%); 2,000 words"
    assert line("bags", tmp_path / "da", tmp_path / "vi") == said
    assert line("bags", tmp_path / "none") == ""


def test_the_best_system_of_the_first_setting_and_measure(tmp_path):
    rows = """setting,task,similarity,metric,system,value
joint,documents,cosine,Success@1,cr5,0.331
joint,documents,cosine,Success@1,strings,0.112
joint,documents,cosine,Success@5,strings,0.9
pairwise,documents,cosine,Success@1,cr5,0.5
joint,documents,csls,Success@1,strings,0.6"""
    (tmp_path / "means.csv").write_text(rows)
    said = line("scores", tmp_path / "scores.csv", tmp_path / "means.csv")
    assert said == "best of joint, documents, cosine: cr5, Success@1 33.1"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.4, "0 s"), (59.6, "1 min 0 s"), (236, "3 min 56 s"), (7500, "2 h 5 min")],
)
def test_durations(seconds, said):
    assert stages.duration(seconds) == said
