"""The licence of the texts of a corpus, which its source declares.

A model learned from texts may fall under their licence, so a shared model states it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parent / "sources"


@dataclass(frozen=True)
class Licence:
    """A licence, possibly unknown.

    Attributes:
        id: as listed by model hubs, after SPDX; `other` if unknown.
        text: the statement on the texts.
    """

    id: str
    text: str


OWN = Licence(
    "other",
    "The texts are the own documents of whoever fitted the model; ask there before you give it on.",
)
UNKNOWN = Licence("other", "Where the texts come from is not known here, nor under which licence.")
FORMER = ("jsonl", "tsv")  # names of `files` in models of earlier versions


def licence_of(about: Mapping[str, Any]) -> Licence:
    """Return the licence of the texts that a model was fitted on, from its record.

    A module of somebody's own, which a record may name, is not run.
    """
    corpus = about.get("corpus")
    source = corpus.get("source") if isinstance(corpus, Mapping) else None
    if not isinstance(source, str):
        return UNKNOWN
    if source in FORMER or source.endswith(".py"):
        return OWN
    if source not in {path.stem for path in SOURCES.glob("[!_]*.py")}:
        return UNKNOWN
    licence = getattr(import_module(f"cr5.corpora.sources.{source}"), "LICENCE", None)
    return Licence(*licence) if licence else OWN
