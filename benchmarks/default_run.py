"""Wall and CPU time and peak memory of each stage of a run; words per second of each model.

    ./run --forceall && .venv/bin/python -m benchmarks.default_run [results/libreoffice_help]

Read from what snakemake writes for each job. Jobs that run side by side slow each other down,
so the sum of their wall times is longer than the run. Memory is that of the largest job.
Models that read counts embed all documents, from counts to rows, on one core; words: those
that they know.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from threadpoolctl import threadpool_limits

from cr5.base.errors import LeftOutError
from cr5.counts import bags
from cr5.models import store
from cr5.models.kinds import UnknownClassError

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


def speeds(results: Path) -> pd.DataFrame:
    """One row per model that reads counts: setting, system, repetition, words, words per second."""
    columns = ["setting", "system", "repetition", "words", "words_per_second"]
    return pd.DataFrame(_speeds(results), columns=columns)


def _speeds(results: Path) -> Iterator[tuple]:
    every = {path.name: bags.load(path, path.name) for path in sorted((results / "bags").iterdir())}
    for folder in sorted((results / "models").glob("*/*/*")):
        try:
            model = store.load(folder)
        except (LeftOutError, UnknownClassError):  # of a class of one's own
            continue
        if model.reads_texts:
            continue
        words, seconds = 0.0, 0.0
        for language, names in model.words.items():
            counts = every[language].select(names).counts
            other = next((x for x in model.words if x != language), None)
            with threadpool_limits(1):
                model.embed(counts[:1], language, other)  # imports, and reads what is lazy
                start = time.process_time()
                model.embed(counts, language, other)
                seconds += time.process_time() - start
            words += counts.sum()
        yield (*folder.parts[-3:], int(words), round(words / max(seconds, 1e-6)))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path, nargs="?", default="results/libreoffice_help")
    results = Path(parser.parse_args().results)
    print(stages(jobs(results)).to_string())
    print(speeds(results).to_string(index=False))


if __name__ == "__main__":
    main()
