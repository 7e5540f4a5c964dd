"""Scores of all systems in one table each."""

from pathlib import Path

import pandas as pd

from cr5.base import console, files
from cr5.base.tables import read_parquet
from cr5.report.published import add_published


def main() -> None:
    """Write scores.csv, published figures beside ours, repetitions.csv and curves.csv."""
    rows = {tuple(fit): row for *fit, row in snakemake.params.published}
    with console.job(snakemake.log[0], "collect"):
        for name in ("scores", "repetitions", "curves"):
            parts = [read_parquet(Path(x) / f"{name}.parquet") for x in snakemake.input.scores]
            frame = pd.concat(parts, ignore_index=True)
            fits = zip(frame["setting"], frame["system"], frame["task"], strict=True)
            frame["published_row"] = [rows.get(fit, "") for fit in fits]
            if name == "scores":
                frame = add_published(frame)
            with files.atomic_file(snakemake.output[name]) as temporary:
                frame.to_csv(temporary, index=False, float_format="%.6g", lineterminator="\n")


main()
