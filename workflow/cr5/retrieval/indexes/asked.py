"""What somebody asks of a search, looked at before anything is searched."""

import os
from collections.abc import Sequence
from numbers import Integral
from typing import Any

from cr5.base.errors import UserError
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import several


def check_k(k: int) -> int:
    """Give k as an integer.

    Raises:
        UserError: it is none, or below 1.
    """
    return _whole("k", k, "how many texts to find")


def threads_of(threads: int | None) -> int:
    """How many threads: all cores if none are given.

    Raises:
        UserError: what is given is no integer, or below 1.
    """
    if threads is not None:
        return _whole("threads", threads, "unless left out for all cores it")
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def measure_of(model: Embedder, name: str | None) -> str:
    """Name the measure that is asked for, or the model's first.

    Raises:
        UserError: the model has no such measure.
    """
    if name is not None and name not in model.measures:
        raise UserError(
            f"texts of {model.place} are not compared by {name!r}; its measures are "
            f"{', '.join(model.measures)}"
        )
    return name or model.measures[0]


def targets_of(index: Any, language: str, to: str | Sequence[str] | None) -> list[str]:
    """Languages that are searched, of an `Index`: those asked for, or all but that of the queries.

    Raises:
        UserError: none is named, or the index has no text in one of them.
    """
    if not index.languages:
        raise UserError(f"{index.name}: there is no text in it yet: add some")
    if to is None:
        return [x for x in index.languages if x != language] or list(index.languages)
    targets = list(several("to", [to] if isinstance(to, str) else to))
    if not targets:
        raise UserError(
            "to names no language to search; name one of "
            f"{', '.join(index.languages)}, or leave it out"
        )
    for each in targets:
        if each not in index.languages:
            index.model.check_language(str(each))
            raise UserError(
                f"{index.name}: there is no text in {each!r}; there are "
                + ", ".join(f"{n} in {x!r}" for x, n in index.sizes.items())
            )
    return list(dict.fromkeys(targets))


def _whole(name: str, value: Any, purpose: str) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise UserError(f"{name} is {value!r}: {purpose} must be 1 or more, a whole number")
    return int(value)
