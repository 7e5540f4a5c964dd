"""Logging of a job: to its log file and to the terminal; bad input without a traceback."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from threadpoolctl import threadpool_limits

from cr5.base.errors import UserError


def _worth_reading(record: logging.LogRecord) -> bool:
    """Keep gensim's many lines for the log file."""
    return not record.name.startswith("gensim") or record.levelno >= logging.WARNING


def planning() -> None:
    """Show on the terminal what this package says while jobs are planned, before any runs."""
    logger = logging.getLogger("cr5")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.handlers = [logging.StreamHandler()]


@contextmanager
def job(log: str | Path, name: str) -> Iterator[logging.Logger]:
    """Run a script's body with logging set up and one BLAS thread.

    More threads would change the last bits of results; work is shared out otherwise.

    A `UserError` is printed as its message alone and ends the process with status 1; any other
    exception keeps its traceback.

    Args:
        log: file to write; made anew.
        name: of the job, put before each line on the terminal.
    """
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    to_file = logging.FileHandler(log, mode="w", encoding="utf-8")
    to_file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    to_terminal = logging.StreamHandler()
    to_terminal.setFormatter(logging.Formatter(f"[{name}] %(message)s"))
    to_terminal.addFilter(_worth_reading)
    logging.basicConfig(level=logging.INFO, handlers=[to_file, to_terminal], force=True)
    logging.captureWarnings(True)
    logging.getLogger("jax").setLevel(logging.WARNING)  # it looks for hardware aloud
    logger = logging.getLogger(name)
    try:
        with threadpool_limits(1):
            yield logger
    except UserError as error:
        logger.error("Error: %s", error)
        sys.exit(1)
    except Exception:
        logger.exception("Failed:")
        sys.exit(1)
