"""`python -m cr5` is the command `cr5`."""

from cr5.cli import entry

entry()
