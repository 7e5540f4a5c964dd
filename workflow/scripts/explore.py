"""Write the page to explore a run's results."""

from pathlib import Path

from cr5.base import console
from cr5.base.errors import LeftOutError
from cr5.base.files import atomic_folder
from cr5.base.modules import load_module
from cr5.explore import page
from cr5.models.store import classes_in


def main() -> None:
    """Write the page, or one that says why no system found anything."""
    out, params = snakemake.output[0], snakemake.params
    with console.job(snakemake.log[0], "explore") as log:
        try:
            results = Path(out).parent
            classes = [x for path in params.modules for x in classes_in(load_module(path))]
            page.write(results, out, (), params.setting, classes, threads=snakemake.threads)
        except LeftOutError as error:
            with atomic_folder(out) as folder:
                page.write_empty(folder, str(error))
            log.warning("left out: %s", error)


main()
