"""Make a run's page from its tables and figures."""

from pathlib import Path

from cr5.base import console, origin, sealed_json
from cr5.report import page


def main() -> None:
    """Write report.html, after checking that all it shows is from one run."""
    read, params, out = snakemake.input, snakemake.params, snakemake.output[0]
    with console.job(snakemake.log[0], "report") as log:
        origin.of_all(path for path in read.shown if path.endswith(".json"))
        explored, folder = bool(read.explore), Path(out).parent
        seen = sealed_json.read(read.seen[0])["warnings"] if read.seen else []
        page.write(folder, params.shown, params.task, params.similarity, explored, seen)
        log.info("open %s in a browser", out)


main()
