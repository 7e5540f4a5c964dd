"""Where a task's dictionaries are, by the option that its `PAIRS` names."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.corpora import dictionary_places as places
from cr5.plan.catalogue import constant, module_source
from cr5.plan.matrix import searched_pairs


@dataclass(frozen=True)
class Place:
    """Where they are.

    Attributes:
        where: a path for each pair, a folder, an address or `freedict`.
        is_elsewhere: they are fetched first.
        pairs: directed, of all settings.
    """

    where: str
    is_elsewhere: bool
    pairs: tuple[places.Pair, ...]

    @property
    def here(self) -> list[Path]:
        """The files that are on this machine, or the folder that holds them."""
        if self.is_elsewhere:
            return []
        if places.names_pair(self.where):
            return list(places.files(self.where, self.pairs).values())
        return [Path(self.where)]


def place(config: Mapping[str, Any], task: str) -> Place | None:
    """Return where the files of a task are, None where it reads none of pairs.

    FreeDict's packages are looked for beside those of the help pages, where these are in a folder:
    then there is no apt-get.

    Raises:
        UserError: the option means nothing, or no pair has a file.
    """
    options, corpus = config["tasks"][task], config["corpus"]
    name = constant(module_source("tasks", task, options.get("module")), "PAIRS", None)
    if name is None:
        return None
    where, pairs = str(options[name]), searched_pairs(config)
    both = tuple(pair for each in pairs for pair in (each, each[::-1]))
    if where == places.FREEDICT and corpus["source"] == "libreoffice_help" and "path" in corpus:
        return Place(corpus["path"], False, both)
    try:
        found = Place(where, places.is_elsewhere(where), both)
    except UserError as error:
        raise UserError(f"tasks.{task}.{name}: {error}") from error
    if not (found.is_elsewhere or found.here):
        raise UserError(
            f"tasks.{task}.{name}: there is no file {where} for any pair of languages, such as "
            f"{places.of_pair(where, both[0])}. Relative paths start at {Path.cwd()}."
        )
    return found
