"""The licences of the texts of a corpus, by its source.

A model learned from texts may fall under their licence, so a shared model states it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


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
LICENCES = {
    "libreoffice_help": Licence(
        "mpl-2.0",
        "The texts are LibreOffice's help, under the Mozilla Public License 2.0 "
        "(https://www.mozilla.org/MPL/2.0/).",
    ),
    "debian_descriptions": Licence(
        "other",
        "The texts are descriptions of Debian's packages and their translations, which come under "
        "as many terms as there are packages (https://www.debian.org/legal/licenses/).",
    ),
    "wikipedia": Licence(
        "cc-by-sa-4.0",
        "The texts are articles of Wikipedia, under the Creative Commons "
        "Attribution-ShareAlike 4.0 licence "
        "(https://creativecommons.org/licenses/by-sa/4.0/): name Wikipedia's authors, and give "
        "what you make of it under the same licence.",
    ),
    **dict.fromkeys(("jsonl", "tsv", "matrix"), OWN),
}
UNKNOWN = Licence("other", "Where the texts come from is not known here, nor under which licence.")


def licence_of(about: Mapping[str, Any]) -> Licence:
    """Return the licence of the texts that a model was fitted on, from its record."""
    corpus = about.get("corpus")
    source = corpus.get("source") if isinstance(corpus, Mapping) else None
    return LICENCES.get(source, UNKNOWN)
