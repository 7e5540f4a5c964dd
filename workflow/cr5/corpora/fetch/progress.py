"""Reports every few seconds the progress, speed and remaining time of a transfer."""

import logging
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

EVERY = 10.0  # seconds between two lines


class Progress:
    """Progress of one file, over all tries.

    Attributes:
        received: bytes transferred.
    """

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic):
        self.name, self.clock = name, clock
        self.received = self.done = 0
        self.total: int | None = None
        self.start = self.said = clock()

    def begin(self, done: int, total: int | None) -> None:
        """Record the bytes present and the total when a connection starts."""
        self.done, self.total = done, total

    def add(self, count: int) -> None:
        """Count received bytes; write a line if the last one was a while ago."""
        self.done += count
        self.received += count
        now = self.clock()
        if now - self.said >= EVERY:
            self.said = now
            log.info("%s", self.line(now))

    def line(self, now: float) -> str:
        """Progress, speed and remaining time; the rate is since the job started, with all waits."""
        rate = self.received / max(now - self.start, 1e-3)  # bytes per second
        text = f"{self.name}: {amount(self.done)}"
        if not self.total:
            return f"{text}, {amount(rate)}/s"
        left = (self.total - self.done) / max(rate, 1e-9)
        return (
            f"{text} of {amount(self.total)} ({100 * self.done / self.total:.0f} %), "
            f"{amount(rate)}/s, {duration(left)} left"
        )


def amount(count: float) -> str:
    """Format a number of bytes: 1.5 MB."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def duration(seconds: float) -> str:
    """Format a duration: 45 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
