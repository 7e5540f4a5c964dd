"""Texts in batches: many at a time from a file, each as it comes from a slow pipe."""

import argparse
import select
import sys
from collections.abc import Iterator
from itertools import islice

from cr5.app import texts
from cr5.app.texts import Text


def read(given: argparse.Namespace, most: int) -> Iterator[list[Text]]:
    """Yield the texts that a command is given.

    A batch ends where standard input has nothing more at once: whoever writes to a pipe a line at
    a time may wait for the answer.

    Args:
        given: the arguments.
        most: texts of a batch.
    """
    piped = texts.is_piped(given)
    found = texts.read(given)
    while batch := list(islice(found, 1)):
        while len(batch) < most and not (piped and _is_idle()):
            if not (more := list(islice(found, 1))):
                break
            batch += more
        yield batch


def _is_idle() -> bool:
    """Whether nothing waits to be read; of lines in Python's own buffer it knows nothing."""
    try:
        return not select.select([sys.stdin], [], [], 0)[0]
    except (OSError, ValueError):  # no file of the system
        return False
