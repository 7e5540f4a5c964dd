"""Which languages have which concepts, and which of them train, as a figure and its numbers."""

from pathlib import Path

import pandas as pd

from cr5.base import console, files, origin
from cr5.counts import bags
from cr5.report.canvas import save_figure
from cr5.report.overlap import COLUMNS, members, overlap
from cr5.report.overlap_figure import overlap_figure
from cr5.splits.settings import load as trained


def main() -> None:
    """Count, setting by setting, and draw."""
    params, read = snakemake.params, snakemake.input
    stem = Path(snakemake.output.svg).with_suffix("")
    with console.job(snakemake.log[0], "overlap"):
        documents = {
            language: pd.Index(bags.read_documents(folder, language, ["concept"])["concept"])
            for language, folder in zip(params.languages, read.bags, strict=True)
        }
        exist = members(documents)
        found = [
            overlap(exist, trained(path)).assign(**names)
            for path, names in zip(read.trained, params.names, strict=True)
        ]
        table = pd.concat(found, ignore_index=True)[COLUMNS]
        with files.atomic_file(f"{stem}.csv") as path:
            table.to_csv(path, index=False, lineterminator="\n")
        source = origin.of_all(read.draws)
        save_figure(overlap_figure(table), stem, source)


main()
