"""Make a run's report: all its tables and figures, and what made it."""

from pathlib import Path

from cr5.base import console, sealed_json
from cr5.report import record, report
from cr5.report.run import read as read_run


def main() -> None:
    """Write report/, report.html, run.json and config.yaml, from files of one run."""
    read, params, out = snakemake.input, snakemake.params, snakemake.output.page
    with console.job(snakemake.log[0], "report") as log:
        run = read_run(dict(read.items()), {**params.facts, **params.of})
        about = record.about(params.config, run.source, read.documents, run.facts["systems"])
        record.write(Path(out).parent, about)
        seen = sealed_json.read(read.seen[0])["warnings"] if read.seen else []
        report.write(run, about, Path(out).parent, params.explored, seen)
        log.info("open %s in a browser", out)


main()
