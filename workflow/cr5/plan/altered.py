"""Results that are no longer what their jobs made: named, with what to remove.

Snakemake goes by dates, and looks into no folder: what was cut off or lost there would stay. A run
begins with a look at the sizes, which takes no time, and ends with one at all checksums, which the
manifest needs anyway.
"""

from collections.abc import Iterable
from pathlib import Path

from cr5.base.errors import UserError
from cr5.plan import manifest


def check(results: str | Path) -> None:
    """Refuse results of which a file has another size than the manifest says, or is lost.

    Args:
        results: folder of the corpus; it need not be there, nor have a manifest.

    Raises:
        UserError: it names each output that is to be removed.
    """
    if found := manifest.unlike(results):
        raise UserError(message(results, found))


def message(results: str | Path, outputs: Iterable[str]) -> str:
    """Say of each output that it is not what its job made, and what to do; a line each."""
    return "\n".join(
        f"Error: {Path(results, path)}: not what its job made, says {manifest.NAME}; "
        f"remove {Path(results, path)} and run again"
        for path in outputs
    )
