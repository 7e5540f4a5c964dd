"""Under which licences the texts of a corpus are, by its source.

What is learned from texts may fall under their licence; a model that is given away says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Licence:
    """A licence, or that none is known.

    Attributes:
        id: as model hubs list it, after SPDX; `other` for none.
        text: what to say of the texts.
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
    """Return the licence of the texts that a model was fitted on, by what it says of itself."""
    corpus = about.get("corpus")
    source = corpus.get("source") if isinstance(corpus, Mapping) else None
    return LICENCES.get(source, UNKNOWN)
