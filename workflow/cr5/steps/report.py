"""Make a run's report: all its tables and figures, and what made it."""

import logging
from typing import Any

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step
from cr5.report.facts import RunFacts

log = logging.getLogger(__name__)


class ReportStep(Step):
    """Make a run's report: all its tables and figures, and what made it."""

    facts: RunFacts
    """What the report knows of the configuration."""
    configuration: dict[str, Any]
    """All keys, as they are written beside the report."""
    is_explored: bool
    """Whether there is a page to explore the results."""

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `page`, with its tables and figures beside it, from all that the run has made."""
        from cr5.report import report  # imports matplotlib, and more that only reports need
        from cr5.report.run import Run
        from cr5.splits import seen_warnings

        run = Run.read(inputs, self.facts)
        warnings: list[str] = []
        for folder in inputs.all("seen"):
            warnings += seen_warnings.read(folder)
        page_file = outputs.one("page")
        report.write(run, self.configuration, page_file.parent, self.is_explored, warnings, job)
        log.info("open %s in a browser", page_file)
