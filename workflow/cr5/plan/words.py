"""Sections about words, not documents: their vectors and translations."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from cr5.base.options import Section
from cr5.fitting.vector_options import VectorOptions
from cr5.plan.allowed import holding

TABLES = "alignments"  # the section of word translation tables

Positive = Annotated[int, Field(ge=1)]
OfPairs = Annotated[
    str,
    holding("{source}", "{target}"),
    Field(description="of the tables, with {source} and {target} in it"),
]


@dataclass(frozen=True)
class GivenVectors(Section):
    """Vectors that somebody published, such as fastText's of Wikipedia.

    Attributes:
        path: the files, or their address, with `{language}` in it.
        most_frequent: how many of the words are read; 200,000 as in the papers.
    """

    path: Annotated[
        str, holding("{language}"), Field(description="of the files, with {language} in it")
    ]
    most_frequent: Positive = 200_000


@dataclass(frozen=True)
class Alignments(Section):
    """Word translation tables.

    Attributes:
        path: the tables, with `{source}` and `{target}` in it: lines of source word, target word
            and p(target word given source word), separated by tabs.
    """

    path: OfPairs


@dataclass(frozen=True)
class ParallelText(Section):
    """Parallel files, as the task `sentences` names them.

    Attributes:
        path: parallel files, named as in the task `sentences`; without it and `address`, the
            corpus's own paragraphs are aligned, of documents that train.
        address: to fetch them from.
        codes: what the files call a language.
        columns: of the text, in files with tabs.
        pairs: as the files name them; needed with an address.
        most: lines that are read at most.
    """

    path: str = ""
    address: str = ""
    codes: dict[str, str] = field(default_factory=dict)
    columns: dict[str, int] = field(default_factory=dict)
    pairs: list[str] = field(default_factory=list)
    most: Positive = 1_000_000


@dataclass(frozen=True)
class MadeAlignments(Section):
    """Word translation tables that are made of parallel text.

    Attributes:
        aligner: the program that finds which word translates which.
        sentences: parallel files; none for the corpus's own paragraphs, of documents that train.
    """

    aligner: Literal["eflomal"]
    sentences: ParallelText = field(default_factory=ParallelText)


@dataclass(frozen=True)
class Dictionary(Section):
    """Bilingual dictionaries from which word mappings are learnt.

    Attributes:
        dictionaries: where they are: a path or an address with `{source}` and `{target}` in it, or
            `freedict`.
        offset: different words at the beginning of each that are passed over.
        limit: different words behind these that are used; none for all.
        invert: whether the dictionary of the other direction is turned round where there is none.
    """

    dictionaries: Annotated[
        str, Field(min_length=1, description="a path or an address of each pair, or freedict")
    ]
    offset: Annotated[int, Field(ge=0)] = 0
    limit: Positive | None = None
    invert: bool = False


def _told_apart(variants: dict[str, type], by: str) -> Any:
    """Return the type of a section of which one variant, the first, has a key that tells it."""
    (with_key, first), (without, second) = variants.items()

    def which(value: Any) -> str:
        is_first = by in value if isinstance(value, dict) else isinstance(value, first)
        return with_key if is_first else without

    union = Annotated[first, Tag(with_key)] | Annotated[second, Tag(without)]
    return Annotated[union, Discriminator(which)]


ALIGNMENTS = {"made": MadeAlignments, "given": Alignments}
VECTORS = {"given": GivenVectors, "trained": VectorOptions}
AnyAlignments = _told_apart(ALIGNMENTS, "aligner")
AnyVectors = _told_apart(VECTORS, "path")
