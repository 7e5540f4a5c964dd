"""Where dictionaries are: those of tasks, by the option that `PAIRS` names, and for training."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.corpora import dictionaries as places
from cr5.fitting.seeds import SECTION
from cr5.plan.catalogue import constant, source_of
from cr5.plan.matrix import searched_pairs, settings


@dataclass(frozen=True)
class Place:
    """The place of dictionaries.

    Attributes:
        where: a path with the pair's languages, a folder, a URL or `freedict`.
        is_elsewhere: whether they are fetched first.
        pairs: directed pairs of all settings.
    """

    where: str
    is_elsewhere: bool
    pairs: tuple[places.Pair, ...]

    @property
    def here(self) -> list[Path]:
        """Return the files on this machine, or the folder that holds them."""
        if self.is_elsewhere:
            return []
        if places.names_pair(self.where):
            return list(places.find(self.where, self.pairs).values())
        return [Path(self.where)]


def readers(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the tasks' options by name, and `SECTION` as if it were a task."""
    if SECTION not in config:
        return dict(config["tasks"])
    as_task = {"module": "lexicon_induction", "limit": None, "most_frequent": None}
    return {**config["tasks"], SECTION: as_task | config[SECTION]}


def place(config: Mapping[str, Any], task: str) -> Place | None:
    """Return where the files of one of the `readers` are, None if it reads no files of pairs.

    FreeDict's packages are looked up beside those of the help pages if these are in a folder: then
    there is no apt-get.

    Raises:
        UserError: the option's value is invalid, or no pair has a file.
    """
    options, corpus = readers(config)[task], config["corpus"]
    name = constant(source_of("tasks", task, options), "PAIRS", None)
    if name is None:
        return None
    where, both = str(options[name]), tuple(_pairs(config, task))
    key = f"{task}.{name}" if task == SECTION else f"tasks.{task}.{name}"
    if where == places.FREEDICT and corpus["source"] == "libreoffice_help" and corpus["path"]:
        return Place(corpus["path"], False, both)
    try:
        found = Place(where, places.is_elsewhere(where), both)
    except UserError as error:
        raise UserError(f"{key}: {error}") from error
    if not (found.is_elsewhere or found.here):
        raise UserError(
            f"{key}: there is no file {where} for any pair of languages, such as "
            f"{places.of_pair(where, both[0])}. Relative paths start at {Path.cwd()}."
        )
    return found


def _pairs(config: Mapping[str, Any], task: str) -> Iterator[places.Pair]:
    """Yield the directed pairs that are searched; for training, all that train together."""
    if task == SECTION:
        together = {
            x for each in settings(config).values() for x in permutations(each.languages, 2)
        }
        yield from sorted(together)
        return
    for pair in searched_pairs(config):
        yield from (pair, pair[::-1])
