"""Wikimedia's dumps: which files, and from where; see `corpora.wikimedia`."""

from cr5.base.parts import Source
from cr5.corpora.fetch.access import as_folder
from cr5.corpora.wikimedia.settings import Settings


class Wikipedia(Settings, Source):
    """Wikimedia's dumps: which files, and from where; see `corpora.wikimedia`."""

    name = "Wikipedia"
    own_rules = "wikipedia.smk"
    licence = (
        "cc-by-sa-4.0",
        "The texts are articles of Wikipedia, under the Creative Commons Attribution-ShareAlike "
        "4.0 licence (https://creativecommons.org/licenses/by-sa/4.0/): name Wikipedia's authors, "
        "and give what you make of it under the same licence.",
    )

    def check(self) -> None:
        """Refuse to ask a server without a contact."""
        if as_folder(self.root) is None:
            self.checked_contact()
