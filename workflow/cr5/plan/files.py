"""Files that the configuration names: of the corpus, systems, tasks, words and language pairs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, permutations
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.languages import names_of, path_of
from cr5.fitting.seeds import DICTIONARY
from cr5.plan.config import Configuration
from cr5.plan.words import ALIGNMENTS_SECTION, GivenVectors
from cr5.texts import dictionaries
from cr5.texts.fetch import local_path
from cr5.texts.parallel import ALL, Bundles, Place
from cr5.texts.parallel import bundles as bundles_in_files


def texts_of_corpus(config: Configuration, language: str) -> list[str]:
    """Return the user's file or folder of a language of the corpus; none if it is fetched."""
    corpus = config.corpus.part
    if not corpus.place:
        return []
    codes = getattr(corpus, "codes", None)
    names = names_of(language, config.written, codes)
    path = Path(path_of(corpus.place, language=names))
    return [str(path)]  # snakemake warns of `./a` and `a//b`


def further_files_of_source(config: Configuration, language: str) -> list[str]:
    """Return the files on this machine that the source reads beside those at `path`."""
    files_by_key = config.corpus.part.files(language, config.written)
    paths = [path for key, path in files_by_key.items() if key != "path"]
    return [path for path in paths if not _is_address("corpus", path)]


def bundles(config: Configuration) -> dict[str, Bundles]:
    """Return the places of parallel sentences, by the task or section that reads them.

    Sentences from the corpus's own paragraphs have an empty place, as they have no file.

    UserError: the options are unusable, or languages that are to be aligned have no files.
    """
    languages = sorted(config.languages)  # the order counts where each has sentences of its own
    bundles_of = {}
    for name, entry in config.all_tasks.items():
        part = entry.part
        if not part.parallel:
            continue
        if not part.of_corpus:
            bundles_of[name] = bundles_in_files(part, languages, entry.place, config.written)
        elif name != ALIGNMENTS_SECTION:  # the aligner reads the paragraphs that train
            bundles_of[name] = {ALL: {language: Place("") for language in languages}}
    if ALIGNMENTS_SECTION in bundles_of:
        _check_all_are_aligned(config, bundles_of[ALIGNMENTS_SECTION])
    return bundles_of


def _check_all_are_aligned(config: Configuration, bundles_to_train: Bundles) -> None:
    """Refuse pairs that train together without parallel files where a system needs alignments."""
    for row in config.matrix:
        if "alignments" in config.systems[row.system].part.needs:
            for pair in combinations(row.setting.languages, 2):
                bundle_with(bundles_to_train, pair)


def addresses_to_fetch(config: Configuration) -> list[str]:
    """Return the addresses of the files that have to be fetched.

    UserError: one is neither a path nor an address with http, https or file.
    """
    return [path for place, path in _places_of_files(config) if _is_address(place, path)]


def _places_of_files(config: Configuration) -> Iterator[tuple[str, str]]:
    """Yield the files that may be fetched, each after its place in the configuration."""
    for task, bundles_of_task in bundles(config).items():
        for bundle in bundles_of_task.values():
            for place in bundle.values():
                yield config.all_tasks[task].place, place.file
    for language in config.languages:
        for entry in config.systems.values():
            for key, path in entry.part.files(language, config.written).items():
                yield f"{entry.place}.{key}", path
        if isinstance(config.vectors, GivenVectors):
            yield "vectors.path", config.vectors.file(language, config.written)


def _is_address(place: str, path: str) -> bool:
    try:
        return local_path(path) is None
    except UserError as error:
        raise UserError(f"{place}: {error}") from error


def bundle_with(bundles_to_train: Bundles, pair: tuple[str, str]) -> str:
    """Return the name of the first bundle that has files of both languages."""
    for name, languages in bundles_to_train.items():
        if set(pair) <= set(languages):
            return name
    raise UserError(
        f"{ALIGNMENTS_SECTION}.sentences: no parallel files of {' and '.join(pair)}, which train "
        f"together; there are those of {', '.join(bundles_to_train)}. Add them, or leave these "
        "languages out"
    )


@dataclass(frozen=True)
class PairFiles:
    """Where the bilingual dictionaries of one task are."""

    where: str  # a path with the pair's languages, a folder, a URL or `freedict`
    is_elsewhere: bool  # they are fetched first
    pairs: tuple[dictionaries.DirectedPair, ...]  # directed, of all settings
    written: Mapping[str, str] = field(default_factory=dict)  # as in `Part.files`

    @property
    def file_of_pair(self) -> dict[dictionaries.DirectedPair, Path]:
        """The files on this machine by pair, if the path names the pair; none otherwise."""
        if self.is_elsewhere or not dictionaries.has_file_per_pair(self.where):
            return {}
        return dictionaries.find(self.where, self.pairs, self.written)

    @property
    def local_paths(self) -> list[Path]:
        """The files on this machine, or the folder that holds them; none if they are fetched."""
        if self.is_elsewhere or dictionaries.has_file_per_pair(self.where):
            return list(self.file_of_pair.values())
        return [Path(self.where)]

    @property
    def addresses(self) -> list[str]:
        """The address of the dictionary of each pair, in the order of `pairs`."""
        return [dictionaries.place_of_pair(self.where, pair, self.written) for pair in self.pairs]


def pair_files(config: Configuration, task: str) -> PairFiles | None:
    """Return where a task's files of language pairs are; None if it reads none.

    `task` is one of `Configuration.all_tasks`.

    FreeDict's packages are looked up beside those of the help pages if these are in a folder: then
    there is no apt-get. UserError: the option's value is invalid, or no pair has a file.
    """
    entry = config.all_tasks[task]
    key = entry.part.of_pairs
    if not key:
        return None
    where = str(getattr(entry.part, key))
    pairs = tuple(_directed_pairs(config, task))
    corpus = config.corpus
    if where == dictionaries.FREEDICT and corpus.module == "libreoffice_help" and corpus.part.path:
        return PairFiles(corpus.part.path, False, pairs)
    try:
        is_elsewhere = dictionaries.is_elsewhere(where)
    except UserError as error:
        raise UserError(f"{entry.place}.{key}: {error}") from error
    pair_files_of_task = PairFiles(where, is_elsewhere, pairs, config.written)
    if not (pair_files_of_task.is_elsewhere or pair_files_of_task.local_paths):
        raise UserError(
            f"{entry.place}.{key}: there is no file {where} for any pair of languages, such as "
            f"{pair_files_of_task.addresses[0]}. Relative paths start at {Path.cwd()}."
        )
    return pair_files_of_task


def _directed_pairs(config: Configuration, task: str) -> list[dictionaries.DirectedPair]:
    """Return the directed pairs that are searched; for the dictionary, all that train together."""
    if task == DICTIONARY:
        together: set[dictionaries.DirectedPair] = set()
        for setting in config.setting_by_name.values():
            together.update(permutations(setting.languages, 2))
        return sorted(together)
    directed = []
    for pair in config.searched_pairs:
        directed += [pair, pair[::-1]]
    return directed
