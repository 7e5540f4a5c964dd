"""How many threads BLAS may use."""

from collections.abc import Callable
from typing import TypeVar

from threadpoolctl import threadpool_limits

Result = TypeVar("Result")


def on_one_thread(work: Callable[..., Result], *arguments: object) -> Result:
    """Call `work` with one BLAS thread: the same bytes on every machine.

    Generators yield what this returns: a limit around their loop would last while the caller
    works, and a name for the result would keep it in memory while the next one is computed.
    """
    with threadpool_limits(1):
        return work(*arguments)
