"""Job logging, to its log file and the terminal; bad input gives no traceback."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from threadpoolctl import threadpool_limits

from cr5.base.errors import UserError
from cr5.base.refusals import beneath, refusal

TALKATIVE = ("fontTools",)  # about the fonts it embeds


class _LogFile(logging.FileHandler):
    """A log file that may be cut short by a full disk; the terminal shows the reason."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802, logging's own name
        """Ignore it."""

    def close(self) -> None:
        """Give up on what could not be written."""
        with suppress(OSError):
            super().close()


def _worth_reading(record: logging.LogRecord) -> bool:
    """Leave gensim's many lines to the log file."""
    return not record.name.startswith("gensim") or record.levelno >= logging.WARNING


def planning() -> None:
    """Show this package's messages on the terminal while jobs are planned."""
    logger = logging.getLogger("cr5")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.handlers = [logging.StreamHandler()]


@contextmanager
def job(log: str | Path, name: str) -> Iterator[logging.Logger]:
    """Run a script's body with logging set up and one BLAS thread.

    More BLAS threads would change the last bits of results; work is parallelised elsewhere.

    A `UserError` is printed as its message alone and ends the process with status 1, and so does a
    refusal by the machine, such as a full disk; any other exception keeps its traceback.

    Args:
        log: file to write; overwritten.
        name: the job's name, prefixed to each line on the terminal.
    """
    _set_up(_terminal(name))
    logger = logging.getLogger(name)
    try:
        logging.getLogger().addHandler(_log_file(Path(log)))
        with threadpool_limits(1):
            yield logger
    except UserError as error:
        logger.error("Error: %s", error)
        sys.exit(1)
    except Exception as error:
        if refused := beneath(error):
            logger.error("Error: %s", refusal(refused, Path(log).parent))
        else:
            logger.exception("Failed:")
        sys.exit(1)


def _terminal(name: str) -> logging.Handler:
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(f"[{name}] %(message)s"))
    handler.addFilter(_worth_reading)
    return handler


def _log_file(path: Path) -> logging.Handler:
    path.parent.mkdir(parents=True, exist_ok=True)
    handler = _LogFile(path, mode="w", encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    return handler


def _set_up(handler: logging.Handler) -> None:
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.captureWarnings(True)
    for library in TALKATIVE:
        logging.getLogger(library).setLevel(logging.WARNING)
