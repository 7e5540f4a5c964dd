"""The section `corpus`: where the text comes from, one dataclass per source."""

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag, ValidationInfo

from cr5.corpora.weighted import ORIGINAL
from cr5.corpora.wikimedia.selection import Selection
from cr5.corpora.wikimedia.settings import Settings
from cr5.plan.texts import Language, Name, each_once, holding

OTHER = "other"
"""Tag of a variant that no value means: it says what all have in common, and takes the mistakes."""


@dataclass(frozen=True)
class Corpus:
    """What every corpus has.

    Attributes:
        name: of the run; its results are in `results/{name}`.
        source: where the text comes from; it decides which other keys there are.
    """

    name: Annotated[Name, Field(description="it names the folder of the results")]
    source: Annotated[
        Literal["libreoffice_help", "debian_descriptions", "jsonl", "tsv", "matrix", "wikipedia"],
        Field(description="libreoffice_help, debian_descriptions, jsonl, tsv, matrix or wikipedia"),
    ]


@dataclass(frozen=True)
class LibreofficeHelp(Corpus):
    """The help pages of LibreOffice.

    Attributes:
        path: a folder with the packages `libreoffice-help-*.deb`, or what they unpack to; none
            fetches them by apt-get.
        paragraphs: `comparable` keeps each paragraph in one language only, so that the text is
            comparable, as Wikipedia is; `all` is parallel text, which is far easier.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    source: Literal["libreoffice_help"]
    path: str | None = None
    paragraphs: Literal["comparable", "all"] = "comparable"


@dataclass(frozen=True)
class DebianDescriptions(Corpus):
    """The descriptions of Debian's packages.

    Attributes:
        path: a folder with files `Translation-da` and so on of a release, always `Translation-en`
            among them, plain or `.bz2`, `.gz`, `.xz`; none fetches them by apt-get.
        paragraphs: `comparable` keeps each sentence in one language only; `all` is parallel text.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    source: Literal["debian_descriptions"]
    path: str | None = None
    paragraphs: Literal["comparable", "all"] = "comparable"


@dataclass(frozen=True)
class Jsonl(Corpus):
    """The user's own documents.

    Attributes:
        path: the files, with `{language}` in it; plain or `.gz`, `.xz`, `.bz2`.
        capitalised: `drop` leaves out all words that begin with a capital letter: names, the first
            word of a sentence, German nouns.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    source: Literal["jsonl"]
    path: Annotated[
        str, holding("{language}"), Field(description="of the files, with {language} in it")
    ]
    capitalised: Literal["keep", "drop"] = "keep"


@dataclass(frozen=True)
class Tsv(Corpus):
    """The user's own documents, in columns.

    Attributes:
        path: the files, with `{language}` in it; plain or compressed.
        codes: what the path calls a language, such as `{en: eng_Latn}`.
        concept: name of the column that says which documents are about the same thing.
        text: name of the column that has the texts.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    source: Literal["tsv"]
    path: Annotated[
        str, holding("{language}"), Field(description="of the files, with {language} in it")
    ]
    codes: dict[str, str] = field(default_factory=dict)
    concept: str = "concept"
    text: str = "text"


def _of_path(originals: list[str], info: ValidationInfo) -> list[str]:
    """Require `originals` and `{original}` in the path together, or neither."""
    if "path" in info.data and (ORIGINAL in info.data["path"]) != bool(originals):
        raise ValueError(
            f"the languages that documents were written in, if the path has {ORIGINAL} in it, and "
            "only then"
        )
    return originals


@dataclass(frozen=True)
class Matrix(Corpus):
    """Documents that are weights of words already, the words known by number only, and a class.

    Attributes:
        path: the files, with `{language}` in it, and with `{original}`, the language that documents
            were written in, where files have translations; plain or compressed.
        codes: what the path calls a language.
        originals: languages whose documents exist in all languages, by translation; needed where
            the path has `{original}` in it.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    source: Literal["matrix"]
    path: Annotated[
        str, holding("{language}"), Field(description="of the files, with {language} in it")
    ]
    codes: dict[str, str] = field(default_factory=dict)
    originals: Annotated[
        list[Language],
        each_once("language"),
        AfterValidator(_of_path),
        Field(validate_default=True),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class Wikipedia(Settings, Selection, Corpus):
    """Wikimedia's dumps: which files, from where, and which of their pages.

    Attributes:
        pieces: jobs per published file: each reads all of it and works on every n-th page; for
            clusters with more cores than files.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    source: Literal["wikipedia"]
    pieces: Annotated[int, Field(ge=1)] = 1


SOURCES = {
    "libreoffice_help": LibreofficeHelp,
    "debian_descriptions": DebianDescriptions,
    "jsonl": Jsonl,
    "tsv": Tsv,
    "matrix": Matrix,
    "wikipedia": Wikipedia,
}


def tag_of(value: Any, key: str, known: dict[str, type]) -> str:
    """Return what a mapping, or a dataclass, holds under a key if it is known, else `OTHER`."""
    found = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
    return found if isinstance(found, str) and found in known else OTHER


AnyCorpus = Annotated[
    Annotated[LibreofficeHelp, Tag("libreoffice_help")]
    | Annotated[DebianDescriptions, Tag("debian_descriptions")]
    | Annotated[Jsonl, Tag("jsonl")]
    | Annotated[Tsv, Tag("tsv")]
    | Annotated[Matrix, Tag("matrix")]
    | Annotated[Wikipedia, Tag("wikipedia")]
    | Annotated[Corpus, Tag(OTHER)],
    Discriminator(lambda value: tag_of(value, "source", SOURCES)),
]
