import numpy as np
import pytest

from benchmarks import default_run
from cr5.counts import bags
from cr5.counts.rules import Rules
from cr5.models import store
from cr5.models.word_tables import WordTables

HEADER = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"


def write(folder, job, seconds, memory, cpu):
    file = folder / "benchmarks" / f"{job}.tsv"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{HEADER}{seconds}\t0:00:00\t{memory}\t1\t1\t1\t0\t0\t90\t{cpu}\n")


def test_stages(tmp_path):
    write(tmp_path, "fit/joint/cr5", 20, 500, 30)
    write(tmp_path, "fit/joint/lexical_overlap", 2, 600, 1)
    write(tmp_path, "bags/da", 40, 100, 39.5)
    write(tmp_path, "scores", 3, 200, "NA")  # what snakemake writes for a very short job
    table = default_run.stages(default_run.jobs(tmp_path))
    assert table.index.tolist() == ["bags", "fit", "scores", "all"]
    assert table.loc["fit"].tolist() == [2, 22, 31, 600]
    assert table.loc["all"].tolist() == [4, 65, 70.5, 600]


def test_words_per_second_are_of_models_that_read_counts(tmp_path, monkeypatch):
    """Five tokens of three documents, of which the model knows four: half a second."""
    records = [("a", "", ["x", "y"]), ("b", "", ["x", "z"]), ("c", "", ["y"])]
    rules = Rules(min_documents=1, unique_words=(1, 9), vocabulary="text")
    bags.save(tmp_path / "bags" / "da", *bags.build(records, rules, "da"))
    model = WordTables({"da": ["x", "y"]}, {"da": np.eye(2, dtype=np.float32)}, {"da": np.ones(2)})
    store.save(tmp_path / "models" / "joint" / "mine" / "1", model, {})
    store.leave_out(tmp_path / "models" / "joint" / "other" / "1", "too few", {})
    monkeypatch.setattr(default_run.time, "process_time", iter([3.0, 3.5]).__next__)
    table = default_run.speeds(tmp_path)
    assert table.to_numpy().tolist() == [["joint", "mine", "1", 4, 8]]


def test_no_run_yet(tmp_path):
    with pytest.raises(SystemExit, match="run the workflow first"):
        default_run.jobs(tmp_path)
