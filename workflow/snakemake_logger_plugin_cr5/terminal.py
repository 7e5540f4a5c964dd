"""A stream with, on a terminal, one last line that is written over and over."""

import os
import shutil
import textwrap
import time
from typing import TextIO

INDENT = "  "
NEWS = 30  # seconds between two lines about progress where there is no terminal
CLEAR = "\r\x1b[K"


class Terminal:
    """Writes lines; `show` replaces the last one, or writes now and then without a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.is_live = stream.isatty() and os.environ.get("TERM") != "dumb"
        self.shown = ""
        self.news = time.monotonic()

    @property
    def width(self) -> int:
        """Columns of the terminal, 80 where that is unknown."""
        return shutil.get_terminal_size((80, 24)).columns

    def keep(self) -> None:
        """Go on writing to the present file when the stream's descriptor is redirected."""
        self.stream.flush()
        copy = os.dup(self.stream.fileno())
        encoding = self.stream.encoding
        self.stream = os.fdopen(copy, "w", encoding=encoding, errors="backslashreplace")

    def write(self, text: str) -> None:
        """Write lines above the last one; long ones are folded, tables and commands are not."""
        self._put(CLEAR * bool(self.shown) + text + "\n" + self.shown)

    def fold(self, text: str, indent: str = INDENT) -> None:
        """Write one paragraph within the width, its further lines indented."""
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
        """Take the last line away."""
        if self.shown:
            self._put(CLEAR)
        self.shown = ""

    def _put(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except (OSError, ValueError):  # nobody reads any more: the run goes on
            pass
