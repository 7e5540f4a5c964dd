"""Sections about words, not documents: their vectors and translations."""

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Annotated, Literal

from pydantic import Field, PositiveInt

from cr5.base.languages import names_of, path_of
from cr5.contracts.keys import PathText, Section, holding, variants
from cr5.fitting.options import VectorOptions
from cr5.texts.parallel import ParallelText

ALIGNMENTS_SECTION = "alignments"  # the section of word translation tables
CHANNELS = "channels"  # that of text of one language


class GivenVectors(Section):
    """Vectors that somebody published, such as fastText's of Wikipedia."""

    path: Annotated[PathText, holding("{language}")]
    """The files, or their address, with `{language}` in it."""
    most_frequent: PositiveInt = 200_000
    """How many of the words are read; 200,000 as in the papers."""

    def file(self, language: str, written: Mapping[str, str] = {}) -> str:
        """Return the path or address of a language's vectors; `written` as in `Part.files`."""
        return path_of(self.path, language=names_of(language, written))


class Alignments(Section):
    """Word translation tables."""

    path: Annotated[PathText, holding("{source}", "{target}")]
    """The tables, with `{source}` and `{target}` in it: lines of source word, target word and
    p(target word given source word), separated by tabs."""

    def files(self, languages: Iterable[str], written: Mapping[str, str] = {}) -> list[str]:
        """Return the tables of each directed pair; `written` as in `Part.files`."""
        names = {language: names_of(language, written) for language in languages}
        return [
            path_of(self.path, source=names[source], target=names[target])
            for source, target in permutations(names, 2)
        ]


class TrainingSentences(ParallelText):
    """Parallel files, as the task `sentences` names them, or paragraphs of training documents."""

    most: PositiveInt = 1_000_000
    """Lines that are read at most."""


class MadeAlignments(Section):
    """Word translation tables that are made of parallel text."""

    aligner: Literal["eflomal"]
    """The program that finds which word translates which."""
    sentences: TrainingSentences = Field(default_factory=TrainingSentences)
    """Parallel files; none for the corpus's own paragraphs, of documents that train."""


def _kind_of_alignments(keys: Mapping) -> str:
    return "made" if "aligner" in keys else "given"


def _kind_of_vectors(keys: Mapping) -> str:
    return "given" if "path" in keys else "trained"


ALIGNMENTS = {"made": MadeAlignments, "given": Alignments}
VECTORS = {"given": GivenVectors, "trained": VectorOptions}
AnyAlignments = variants(ALIGNMENTS, _kind_of_alignments)
AnyVectors = variants(VECTORS, _kind_of_vectors)
