"""Write the page to explore a run's results, or one that says why no system found anything."""

import logging

from cr5.base.artefacts import Job
from cr5.base.errors import LeftOutError
from cr5.contracts.step import Paths, Step

log = logging.getLogger(__name__)


class ExploreStep(Step):
    """Write the page to explore a run's results, or one that says why no system found anything."""

    setting: str

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `page`, a folder, from the `ranks` of documents and the report of the run."""
        from cr5.explore import page

        output = outputs.first()
        results = output.parent
        try:
            setting, places = page.find(results, inputs.all("ranks"), self.setting)
            page.write(results, output, setting, places, job)
        except LeftOutError as error:
            page.write_empty(output, str(error), job)
            log.warning("left out: %s", error)
