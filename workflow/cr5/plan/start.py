"""The start of `./run`: read the configuration files strictly, then run snakemake."""

import sys
from collections.abc import Sequence

from snakemake import cli, exceptions

from cr5.base.errors import UserError
from cr5.plan import config_files


def main(arguments: Sequence[str]) -> None:
    """Run snakemake in this process, unless a configuration file is wrong."""
    try:
        parser, parsed = cli.parse_args(arguments)
        for path in parsed.configfile or ():
            config_files.read(path)  # of a mistake snakemake tells no line
        sys.exit(not cli.args_to_api(parsed, parser))
    except UserError as error:
        sys.exit(f"run: {error}")
    except Exception as error:  # as snakemake's own command does
        exceptions.print_exception(error)
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
