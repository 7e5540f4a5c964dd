"""How many threads BLAS may use."""

from collections.abc import Callable
from typing import TypeVar

from threadpoolctl import threadpool_limits

Result = TypeVar("Result")


def on_one_thread(work: Callable[..., Result], *arguments: object) -> Result:
    """Call `work` with one BLAS thread: the same bytes on every machine.

    Generators yield its result directly: a limit around their loop would stay in force while the
    caller works, and a variable would keep the result in memory while the next is computed.
    """
    with threadpool_limits(1):
        return work(*arguments)
