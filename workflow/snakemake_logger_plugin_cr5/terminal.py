"""A stream whose last line, on a terminal, is updated in place."""

import os
import shutil
import textwrap
import time
from typing import TextIO

INDENT = "  "
NEWS = 30  # seconds between progress lines without a terminal
CLEAR = "\r\x1b[K"


class Terminal:
    """Writes lines; `show` replaces the last one, or without a terminal writes now and then."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.is_live = stream.isatty() and os.environ.get("TERM") != "dumb"
        self.shown = ""
        self.news = time.monotonic()

    @property
    def width(self) -> int:
        """Return the terminal's columns, 80 if unknown."""
        return shutil.get_terminal_size((80, 24)).columns

    def keep(self) -> None:
        """Keep writing to the current file when the stream's descriptor is redirected."""
        self.stream.flush()
        copy = os.dup(self.stream.fileno())
        encoding = self.stream.encoding
        self.stream = os.fdopen(copy, "w", encoding=encoding, errors="backslashreplace")

    def write(self, text: str) -> None:
        """Write lines above the last one; long ones are wrapped, except tables and commands."""
        self._put(CLEAR * bool(self.shown) + text + "\n" + self.shown)

    def fold(self, text: str, indent: str = INDENT) -> None:
        """Write a paragraph wrapped to the width, with later lines indented."""
        lines = textwrap.wrap(text, self.width - 1, subsequent_indent=indent)
        self.write("\n".join(lines))

    def show(self, text: str) -> None:
        """Show what is going on now."""
        if not self.is_live:
            if time.monotonic() - self.news >= NEWS:
                self.news = time.monotonic()
                self.write(text)
            return
        text = text[: self.width - 1]
        if text != self.shown:
            self._put(CLEAR + text)
            self.shown = text

    def end(self) -> None:
        """Remove the last line."""
        if self.shown:
            self._put(CLEAR)
        self.shown = ""

    def _put(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except (OSError, ValueError):  # the reader is gone; the run goes on
            pass
