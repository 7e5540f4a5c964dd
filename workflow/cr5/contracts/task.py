"""The contract of tasks: what each may declare, what it is given, what it yields."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Protocol

from annotated_types import MinLen
from pydantic import PositiveInt

from cr5.contracts.keys import FILE, Part
from cr5.contracts.seeds import Pair

if TYPE_CHECKING:
    from scipy import sparse


class Data(Protocol):
    """What a task builds searches from; `tasks.base.Data` has more."""

    bags: Mapping[str, Any]  # by language, the documents of the corpus
    texts: Mapping[str, Mapping[str, Any]]  # by language, those of `records`, counted
    tables: Mapping[str, Any]  # those of `tables`
    seed: int  # for what the task itself draws

    def directions(self, languages: Sequence[str]) -> list[Pair]:
        """Return query and target language of each search, in a fixed order."""


class Search(Protocol):
    """Queries of one language, candidates of another, and answers; `tasks.base.Search` has more."""

    query_language: str
    target_language: str
    queries: Any  # texts
    candidates: Any  # texts
    relevance: sparse.csr_matrix  # queries x candidates; the grade of each answer, above 0


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

    @classmethod
    def missing_for_declared(cls) -> str:
        """Say which attribute declares what the class has not, to follow its name; empty if none.

        The workflow uses what is declared before any job: keys that say where files are, and what
        reads them.
        """
        names = cls.model_fields.keys() | set(dir(cls))
        of_pairs = cls.of_pairs
        if of_pairs and isinstance(of_pairs, str) and of_pairs not in names:
            instead = REQUIRED_BY["of_pairs"].instead
            return f".of_pairs: {of_pairs!r} is none of its keys; {instead}"
        for attribute, required in REQUIRED_BY.items():
            missing = [name for name in required.names if name not in names]
            if missing and getattr(cls, attribute):
                return f".{attribute}: missing the key or method {missing[0]}; {required.instead}"
        return ""


@dataclass(frozen=True)
class Required:
    """What the class of a task must have if an attribute is true, and what to do without."""

    names: Collection[str]  # of keys, properties or methods
    instead: str


REQUIRED_BY = {
    "parallel": Required(
        names=("of_corpus", "idf", "min_words"),
        instead=(
            "let the class stand below cr5.tasks.sentences.Sentences, whose keys say where "
            "parallel text is and how much of it counts; or leave out parallel, and name files of "
            "your own by keys of the type File"
        ),
    ),
    "of_pairs": Required(
        names=("tables",),
        instead=(
            "let the class stand below cr5.tasks.lexicon_induction.LexiconInduction, whose key "
            "`dictionaries` says where files of pairs are and whose method `tables` reads them; or "
            "leave out of_pairs"
        ),
    ),
    "needs_labels": Required(
        names=("parts",),
        instead=(
            "let the class stand below cr5.tasks.classification.Classification, whose keys say "
            "where labels are; or leave out needs_labels"
        ),
    ),
}
KEYS_OF_PARALLEL_FILES = (
    "path",
    "address",
    "codes",
    "encoding",
    "pairs",
    "candidates",
    "idf_lines",
)
"""What a task with `parallel` also needs where its text is not that of the corpus."""
