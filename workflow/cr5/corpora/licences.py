"""The licence of the texts of a corpus, which its source declares.

A model learned from texts may fall under their licence, so a shared model states it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cr5.base.parts import SOURCES


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


def licence_of(about: Mapping[str, Any]) -> Licence:
    """Return the licence of the texts that a model was fitted on, from its record.

    A module of somebody's own, which a record may name, is not run.
    """
    corpus = about.get("corpus")
    source = corpus.get("source") if isinstance(corpus, Mapping) else None
    if not isinstance(source, str):
        return UNKNOWN
    if source.endswith(".py"):
        return OWN
    if source not in SOURCES.known():
        return UNKNOWN
    licence = SOURCES.kind("corpus", corpus).licence
    return Licence(*licence) if licence else OWN
