"""What callers give, checked: texts, numbers of them, threads; and bars that show how far it is."""

import os
from collections.abc import Iterable, Iterator, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any

from cr5.base.errors import UserError
from cr5.base.losses import Losses
from cr5.base.text_files import storable
from cr5.search.kernels import slices

if TYPE_CHECKING:
    from tqdm import tqdm

BATCH = 8192  # texts embedded at a time: a model converts vectors of words once for each batch


def several(role: str, values: Any, have_order: bool = True) -> Iterable:
    """Return the values, which have an order unless it plays no part; UserError if there are none.

    They are not the letters of a string, or the names in a frame or mapping.
    """
    is_whole = isinstance(values, str | bytes | Mapping) or hasattr(values, "columns")
    is_single = getattr(values, "ndim", 1) == 0
    if is_whole or is_single or not isinstance(values, Iterable):
        raise UserError(f"{role}: expected several, such as a list; found {values!r:.40}")
    if have_order and isinstance(values, set | frozenset):
        raise UserError(f"{role}: a set has no order; give a list, found {values!r:.40}")
    if hasattr(values, "to_pylist"):  # an array of Arrow, whose members are no strings
        return values.to_pylist()
    return values


def strings(values: Any, role: str = "text") -> list[str]:
    """Return strings, or one, as a list; `role` names one of them."""
    texts = list(each_string(values, role))
    if not texts:
        raise UserError(f"no {role} is given; give one")
    return texts


def each_string(values: Any, role: str = "text") -> Iterator[str]:
    """Yield strings, or one; UserError at what is none.

    As in files that are read, what cannot be stored becomes U+FFFD; how often is told at the end.
    """
    if isinstance(values, str):
        values = [values]
    losses = Losses()
    for number, text in enumerate(several(f"{role}s", values), start=1):
        if not isinstance(text, str):
            raise UserError(f"{role} {number}: expected a string, found {type(text).__name__}")
        stored = storable(text)
        if stored == text:
            losses.texts += 1  # what a reader has replaced, it has told
        else:
            losses.count(stored, f"{role} {number}")
        yield stored
    losses.tell(f"{role}s")


def whole_number(role: str, number: Any) -> int:
    """Return a whole number above 0; UserError if it is none."""
    if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
        raise UserError(f"{role} is {number!r}: expected a whole number, 1 or more")
    return int(number)


def threads_of(threads: Any) -> int:
    """Return how many threads are meant, None being one for each core of this process."""
    if threads is not None:
        return whole_number("threads", threads)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def batches(n: int, size: int, role: str, shows_bar: bool) -> Iterator[slice]:
    """Yield slices of n texts of at most a size, and show how many are done if that is wanted.

    UserError: a bar is to be shown, and tqdm is not installed.
    """
    if not shows_bar:
        yield from slices(0, n, size)
        return
    with bar(n, role) as shown:
        for part in slices(0, n, size):
            yield part
            shown.update(part.stop - part.start)


def bar(n: int | None, role: str) -> "tqdm":
    """Return a bar of tqdm for n texts, None if nobody knows how many; UserError without tqdm."""
    try:
        from tqdm import tqdm  # no dependency of this package
    except ModuleNotFoundError as error:
        raise UserError("show_progress_bar needs the package tqdm: pip install tqdm") from error
    return tqdm(total=n, desc=role, unit="text")
