"""The start of `./run`: read its arguments and configuration files, then run snakemake."""

import io
import runpy
import sys
from collections.abc import Sequence

from cr5.base.errors import UserError
from cr5.plan import config_files
from cr5.plan.arguments import VERBOSE, is_run, named_files

TERMINAL = "--logger=cr5"  # the package snakemake_logger_plugin_cr5


class Held(io.StringIO):
    """Replaces stderr while snakemake reads its arguments, until our terminal takes over.

    Snakemake names its profile there, or prints all of its options before the error.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stderr, sys.stderr = sys.stderr, self

    def release(self) -> None:
        """Give stderr back."""
        sys.stderr = self.stderr


def main(arguments: Sequence[str]) -> None:
    """Run snakemake in this process, unless a configuration file is wrong."""
    try:
        arguments = prepared(arguments)
    except UserError as error:
        sys.exit(f"run: {error}")
    sys.argv = ["snakemake", *arguments]
    held = Held() if TERMINAL in arguments else None
    try:
        runpy.run_module("snakemake", run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:  # later, snakemake handles it
        sys.exit("Interrupted while the run was being planned: no job was started.")
    finally:
        if held and sys.stderr is held:  # our terminal did not start
            held.release()
            said = held.getvalue().rpartition(" error: ")[2].strip()
            if said := said.removeprefix("Error: ").rstrip("."):
                print(f"run: {said}. See ./run help.", file=sys.stderr)


def prepared(arguments: Sequence[str]) -> list[str]:
    """Read the configuration files, and return the arguments for snakemake.

    Raises:
        UserError: a configuration file is wrong.
    """
    prepared = [x for x in arguments if x != VERBOSE]
    for path in named_files(prepared):
        config_files.read(path)
    return [TERMINAL, *prepared] if VERBOSE not in arguments and is_run(prepared) else prepared


if __name__ == "__main__":
    main(sys.argv[1:])
