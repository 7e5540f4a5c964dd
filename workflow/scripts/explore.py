"""Write the page to explore a run's results, or one that says why no system found anything."""

from pathlib import Path

from cr5.base.errors import LeftOutError
from cr5.base.job import job
from cr5.explore import page

with job(snakemake) as (this_job, log):
    out = snakemake.output[0]
    results = Path(out).parent
    try:
        setting, places = page.find(results, snakemake.input.ranks, snakemake.params.setting)
        page.write(results, out, setting, places, this_job)
    except LeftOutError as error:
        page.write_empty(out, str(error), this_job)
        log.warning("left out: %s", error)
