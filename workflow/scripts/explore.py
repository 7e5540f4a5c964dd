"""Write the page to explore a run's results."""

from pathlib import Path

from cr5.base.errors import LeftOutError
from cr5.base.job import job
from cr5.base.modules import load_module
from cr5.explore import page
from cr5.models.store import classes_in


@job
def main(log) -> None:
    """Write the page, or one that says why no system found anything."""
    out, params = snakemake.output[0], snakemake.params
    try:
        results = Path(out).parent
        classes = [x for path in params.modules for x in classes_in(load_module(path))]
        page.write(results, out, (), params.setting, classes, threads=snakemake.threads)
    except LeftOutError as error:
        page.write_empty(out, str(error))
        log.warning("left out: %s", error)


if __name__ == "__main__":
    main(snakemake)
