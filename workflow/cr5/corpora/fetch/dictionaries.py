"""Fetch bilingual dictionaries: FreeDict's packages, or files by address."""

import logging
from collections.abc import Iterable
from pathlib import Path

from cr5.base.errors import UserError
from cr5.corpora import debian, freedict
from cr5.corpora.dictionaries import FREEDICT, Pair, fetched, of_pair
from cr5.corpora.fetch import download
from cr5.corpora.fetch.access import Access
from cr5.corpora.fetch.pins import TEXT, Pin
from cr5.corpora.fetch.remote import MissingError

log = logging.getLogger(__name__)


def fetch(where: str, pairs: Iterable[Pair], folder: Path, access: Access | None = None) -> None:
    """Fetch dictionaries: FreeDict's as packages of this system's release, others by address.

    Args:
        where: `freedict`, or an address with `{source}` and `{target}` in it.
        pairs: directed; those without a dictionary are skipped.
        folder: for the files.
        access: retries and timeouts.

    Raises:
        UserError: the network is missing, or the server or apt-get refuses.
    """
    if where == FREEDICT:
        names = [freedict.package(*pair) for pair in pairs]
        debian.download(names, folder, if_there=True)
        return
    for pair in pairs:
        url, file = of_pair(where, pair), Path(of_pair(fetched(where, str(folder)), pair))
        try:
            download.fetch(Pin("", "", TEXT, file.name, url), file, access or Access())
        except UserError as error:
            if not isinstance(error.__cause__, MissingError):
                raise
            log.info("%s: there is none", url)
