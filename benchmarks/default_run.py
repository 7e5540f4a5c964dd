"""Wall and CPU time and peak memory of each stage of a run of the workflow.

    ./run --forceall && .venv/bin/python -m benchmarks.default_run [results/libreoffice_help]

Read from what snakemake writes for each job. Jobs that run side by side slow each other down,
so the sum of their wall times is longer than the run. Memory is that of the largest job.
"""

import argparse
from pathlib import Path

import pandas as pd

COLUMNS = {"s": "wall_seconds", "cpu_time": "cpu_seconds", "max_rss": "peak_mib"}


def jobs(results: Path) -> pd.DataFrame:
    """One row per job: stage, job, wall_seconds, cpu_seconds, peak_mib."""
    folder = results / "benchmarks"
    rows = []
    for file in sorted(folder.rglob("*.tsv")):
        job = file.relative_to(folder).with_suffix("")
        record = pd.read_csv(file, sep="\t").iloc[-1]
        costs = {name: pd.to_numeric(record[column]) for column, name in COLUMNS.items()}
        rows.append({"stage": job.parts[0], "job": "/".join(job.parts[1:]), **costs})
    if not rows:
        raise SystemExit(f"{folder}: no benchmark files; run the workflow first")
    return pd.DataFrame(rows)


def stages(jobs: pd.DataFrame) -> pd.DataFrame:
    """Jobs, sums of times and the largest memory of each stage, most CPU time first; a total."""
    costs = {
        "jobs": ("job", "size"),
        "wall_seconds": ("wall_seconds", "sum"),
        "cpu_seconds": ("cpu_seconds", "sum"),
        "peak_mib": ("peak_mib", "max"),
    }
    table = jobs.groupby("stage").agg(**costs).sort_values("cpu_seconds", ascending=False)
    table.loc["all"] = jobs.assign(stage="all").groupby("stage").agg(**costs).iloc[0]
    return table.astype({"jobs": int}).round(1)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path, nargs="?", default="results/libreoffice_help")
    print(stages(jobs(parser.parse_args().results)).to_string())


if __name__ == "__main__":
    main()
