import pytest

from benchmarks import default_run

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


def test_no_run_yet(tmp_path):
    with pytest.raises(SystemExit, match="run the workflow first"):
        default_run.jobs(tmp_path)
