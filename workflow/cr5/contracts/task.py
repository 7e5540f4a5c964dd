"""The contract of tasks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from annotated_types import MinLen
from pydantic import (
    PositiveInt,
)

from cr5.contracts.keys import (
    FILE,
    Part,
)

if TYPE_CHECKING:
    from cr5.tasks.base import Data, Search


class Task(Part):
    """Searches for which a system is scored.

    Attributes:
        roles: of its queries: `test` and, for some tasks, `validation`; a property where they
            depend on keys.
        metrics: by which ranks are scored unless the configuration names others.
        depth: the rank beyond which its searches do not look; None for no bound.
        parallel: whether its files are parallel text, which the workflow aligns for it.
        of_pairs: the key that names files of language pairs, such as dictionaries.
        needs_labels: whether its texts have labels, of its own files or of the corpus.
        is_judged: whether judgements of all languages together say what is found.
    """

    roles: ClassVar[Sequence[Literal["test", "validation"]]] = ("test",)
    metrics: ClassVar[Annotated[Sequence[str], MinLen(1)]] = (
        "Success@1",
        "Success@5",
        "Success@10",
        "RR",
    )
    depth: ClassVar[PositiveInt | None] = None
    parallel: ClassVar[bool] = False
    of_pairs: ClassVar[str] = ""
    needs_labels: ClassVar[bool] = False
    is_judged: ClassVar[bool] = False

    @abstractmethod
    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield the searches among the languages of a setting, for `test` or `validation`."""

    def records(self, files: Mapping[str, Any], language: str) -> dict[str, Any]:
        """Read the task's own texts of a language, (id, text), by a name of its choice."""
        return {}

    def tests_or_validates(self, name: str) -> bool:
        """Return whether the texts of a name in `records` are asked for or searched."""
        return True

    @property
    def reads_files(self) -> bool:
        """Return whether it has files of its own, or of parallel text."""
        return self.parallel or any(getattr(self, key) for key in self.marked(FILE))
