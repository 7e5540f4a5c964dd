"""What every script of the workflow does: log, one BLAS thread, and errors as one line."""

import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from cr5.base.artefacts import working
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


def job(main: Callable[[logging.Logger], None]) -> Callable[[Any], None]:
    """Make a script's main function take snakemake's object; what it makes names what it read.

    More than one BLAS thread would change the last bits of results; work is parallelised elsewhere.
    A `UserError`, and a refusal by the machine such as a full disk, is one line and status 1; any
    other exception keeps its traceback.

    Args:
        main: it gets a logger.
    """

    @wraps(main)
    def run(snakemake: Any) -> None:
        name = " ".join([snakemake.rule, *snakemake.wildcards])
        log, logger = Path(snakemake.log[0]), logging.getLogger(name)
        _set_up(_terminal(name))
        results = Path(snakemake.config["results"], snakemake.config["corpus"]["name"])
        made_with, reads = (snakemake.params.get(x, {}) for x in ("made_with", "reads"))
        try:
            logging.getLogger().addHandler(_log_file(log))
            with (
                threadpool_limits(1),
                working(results, made_with, reads),
            ):
                main(logger)
        except UserError as error:
            logger.error("Error: %s", error)
            sys.exit(1)
        except Exception as error:
            if refused := beneath(error):
                logger.error("Error: %s", refusal(refused, log.parent))
            else:
                logger.exception("Failed:")
            sys.exit(1)

    return run


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
