"""Files that the configuration names: of systems, tasks, words, pairs of languages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, combinations, permutations
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.languages import names_of, path_of
from cr5.fitting.seeds import DICTIONARY
from cr5.plan.config import Configuration
from cr5.plan.words import ALIGNMENTS_SECTION, GivenVectors
from cr5.texts import dictionaries as places
from cr5.texts.fetch import as_folder
from cr5.texts.parallel import ALL, Bundles, Place
from cr5.texts.parallel import bundles as of_files


def stop_words(config: Configuration, languages: Iterable[str] | None = None) -> list[str]:
    """Return the files of stop words, of all languages or some; none if words are not left out."""
    path = config.bags.stop_words
    if not path:
        return []
    every = languages or sorted(config.languages)
    return [path_of(path, language=names_of(x, config.written)) for x in every]


def bundles(config: Configuration) -> dict[str, Bundles]:
    """Return where the sentences are that tasks search, and that the aligner reads from files.

    Those of the corpus's own paragraphs have no file.

    UserError: the options are unusable, or languages that are to be aligned have no files.
    """
    found = {}
    for name, entry in config.readers.items():
        part = entry.part
        if part.parallel and not part.of_corpus:
            found[name] = of_files(part, config.languages, entry.place, config.written)
        elif part.parallel and name != ALIGNMENTS_SECTION:  # which reads those that train
            found[name] = {ALL: {x: Place("") for x in config.languages}}
    for row in config.matrix if ALIGNMENTS_SECTION in found else ():
        if "alignments" in config.systems[row.system].part.needs:
            for pair in combinations(row.setting.languages, 2):
                bundle_of(found[ALIGNMENTS_SECTION], pair)
    return found


def elsewhere(config: Configuration) -> list[str]:
    """Return the addresses of files that have to be fetched; UserError: one has another scheme."""
    found, written = bundles(config).values(), config.written
    named = [x.file for of in found for each in of.values() for x in each.values()]
    for language in config.languages:
        for entry in config.systems.values():
            named += entry.part.files(language, written).values()
        if isinstance(config.vectors, GivenVectors):
            named.append(config.vectors.file(language, written))
    return [path for path in named if as_folder(path) is None]


def bundle_of(found: Bundles, pair: tuple[str, str]) -> str:
    """Return the name of the bundle, of places by language, that has both of a pair."""
    for name, languages in found.items():
        if set(pair) <= set(languages):
            return name
    raise UserError(
        f"{ALIGNMENTS_SECTION}.sentences: no parallel files of {' and '.join(pair)}, which train "
        f"together; there are those of {', '.join(found)}. Add them, or leave these languages out"
    )


@dataclass(frozen=True)
class PairFiles:
    """The place of dictionaries."""

    where: str  # a path with the pair's languages, a folder, a URL or `freedict`
    is_elsewhere: bool  # they are fetched first
    pairs: tuple[places.Pair, ...]  # directed, of all settings
    written: Mapping[str, str] = field(default_factory=dict)  # as in `Part.files`

    @property
    def made_with(self) -> dict[str, Any]:
        """Return what identifies the dictionaries, however codes are written."""
        return {"where": self.where, "is_elsewhere": self.is_elsewhere, "pairs": self.pairs}

    @property
    def found(self) -> dict[places.Pair, Path]:
        """Return the files on this machine that pairs have on a path of their own."""
        if self.is_elsewhere or not places.names_pair(self.where):
            return {}
        return places.find(self.where, self.pairs, self.written)

    @property
    def here(self) -> list[Path]:
        """Return the files on this machine, or the folder that holds them."""
        if self.is_elsewhere or places.names_pair(self.where):
            return list(self.found.values())
        return [Path(self.where)]

    @property
    def addresses(self) -> list[str]:
        """Return from where the dictionary of each pair is fetched."""
        return [places.of_pair(self.where, pair, self.written) for pair in self.pairs]


def pair_files(config: Configuration, task: str) -> PairFiles | None:
    """Return where the files of one of the `readers` are, None if it reads no files of pairs.

    FreeDict's packages are looked up beside those of the help pages if these are in a folder: then
    there is no apt-get. UserError: the option's value is invalid, or no pair has a file.
    """
    entry, corpus = config.readers[task], config.corpus
    name = entry.part.of_pairs
    if not name:
        return None
    where, both = str(getattr(entry.part, name)), tuple(_pairs(config, task))
    if where == places.FREEDICT and corpus.module == "libreoffice_help" and corpus.part.path:
        return PairFiles(corpus.part.path, False, both)
    try:
        found = PairFiles(where, places.is_elsewhere(where), both, config.written)
    except UserError as error:
        raise UserError(f"{entry.place}.{name}: {error}") from error
    if not (found.is_elsewhere or found.here):
        raise UserError(
            f"{entry.place}.{name}: there is no file {where} for any pair of languages, such as "
            f"{found.addresses[0]}. Relative paths start at {Path.cwd()}."
        )
    return found


def _pairs(config: Configuration, task: str) -> list[places.Pair]:
    """Return the directed pairs that are searched; for training, all that train together."""
    if task == DICTIONARY:
        together = (permutations(x.languages, 2) for x in config.trained.values())
        return sorted({*chain.from_iterable(together)})
    return [both for pair in config.pairs for both in (pair, pair[::-1])]
