"""What every script of the workflow does: log, one BLAS thread, and errors as one line."""

import atexit
import gc
import logging
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from cr5.base.artefacts import Job
from cr5.base.errors import UserError, is_refusal

PACKAGE = Path(__file__).resolve().parents[1]
COLLECTED_EVERY = 10_000  # new objects: Python's 700 take a fifth of the time of loading pandas
TALKATIVE = ("fontTools",)  # about the fonts it embeds
KEPT = "Mend that, or give jobs more memory, and run again: what is finished is kept."


def planning() -> None:
    """Show this package's messages while jobs are planned; let jobs find it, installed or not."""
    paths = [str(PACKAGE.parent)]
    if os.environ.get("PYTHONPATH"):
        paths.append(os.environ["PYTHONPATH"])
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    logging.raiseExceptions = False  # a disk too full for a log is told by what else is written
    _end_quickly()
    logger = logging.getLogger("cr5")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.handlers = [logging.StreamHandler()]


@contextmanager
def job(snakemake: Any) -> Iterator[Job]:
    """Let this process be the job of a script; what it makes names what it read.

    More than one BLAS thread would change the last bits of results; work is parallelised elsewhere.
    A `UserError`, and a refusal by the machine such as a full disk, is one line and status 1; any
    other exception keeps its traceback. Yields the job, which makes artefacts.
    """
    names = [snakemake.rule] + list(snakemake.wildcards)
    name = " ".join(filter(None, names))
    logger = logging.getLogger(name)
    results = Path(snakemake.config["results"], snakemake.config["corpus"]["name"])
    step = snakemake.params.get("step", {})
    reads = snakemake.params.get("reads", {})
    _set_up(name)
    _end_quickly()
    try:
        logging.getLogger().addHandler(_log_file(Path(snakemake.log[0])))
        with threadpool_limits(1), _rare_collections():
            yield Job.reading(results, step, reads)
    except UserError as error:
        logger.error("Error: %s", error)
        sys.exit(1)
    except SystemExit as error:  # which snakemake would take for a job that made nothing
        place = traceback.extract_tb(error.__traceback__)[-1]
        logger.error(
            "Error: %s, line %d: it ended the job (SystemExit: %s); raise an error instead",
            place.filename,
            place.lineno,
            error.code,
        )
        sys.exit(1)
    except Exception as error:
        if is_refusal(error):
            logger.error("Error: %s. %s", error or "out of memory", KEPT)
        else:
            logger.exception("Failed:")
        sys.exit(1)


def _end_quickly() -> None:
    """Spare the end of this process a search for cycles: of modules alone it takes .1 s."""
    atexit.register(gc.freeze)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for cycles of unused objects less often, and not in modules that are loaded already."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(COLLECTED_EVERY, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def _set_up(name: str) -> None:
    terminal = logging.StreamHandler()
    terminal.setFormatter(logging.Formatter(f"[{name}] %(message)s"))
    terminal.addFilter(_is_for_the_terminal)
    logging.basicConfig(level=logging.INFO, handlers=[terminal], force=True)
    logging.captureWarnings(True)
    logging.raiseExceptions = False  # of a disk too full for the log, the job tells
    for library in TALKATIVE:
        logging.getLogger(library).setLevel(logging.WARNING)


def _is_for_the_terminal(record: logging.LogRecord) -> bool:
    """Whether it is not one of gensim's many lines, which are for the log file."""
    return not record.name.startswith("gensim") or record.levelno >= logging.WARNING


def _log_file(path: Path) -> logging.Handler:
    path.parent.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(path, mode="w", encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    return handler
