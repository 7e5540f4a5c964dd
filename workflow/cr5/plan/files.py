"""Files that the configuration names: of the corpus, systems, tasks, words, pairs of languages."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from cr5.base.catalogue import TASKS
from cr5.base.errors import UserError
from cr5.fitting.seeds import DICTIONARY
from cr5.plan.config import part, source
from cr5.plan.matrix import matrix, searched_pairs, settings
from cr5.plan.words import ALIGNMENTS_SECTION
from cr5.texts import dictionaries as places
from cr5.texts.fetch import as_folder
from cr5.texts.parallel import ALL, Bundles, bundles
from cr5.texts.parallel import Place as SentencePlace
from cr5.texts.reading import file_of

Config = Mapping[str, Any]


def of_corpus(config: Config, language: str) -> Path | None:
    """Return the user's file or folder of a language of the corpus; None if it is fetched."""
    corpus = config["corpus"]
    if not corpus.get("path"):
        return None
    return Path(file_of(corpus["path"], language, corpus.get("codes", {})))


def of_system(config: Config, system: str, languages: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return a system's own files, or their addresses, by language and key."""
    made = part(config, "systems", system)
    return {(x, key): path for x in languages for key, path in made.files(x).items()}


def of_task(config: Config, task: str, language: str) -> dict[str, str]:
    """Return a task's own files for one language by key; parallel text has none of these."""
    return part(config, "tasks", task).files(language)


def vectors(config: Config, language: str) -> str | None:
    """Return the path or address of a language's given word vectors, None if they are trained."""
    path = config["vectors"].get("path")
    return path and path.replace("{language}", language)


def stop_words(config: Config, languages: Iterable[str] | None = None) -> list[str]:
    """Return the files of stop words, of all languages or some; none if words are not left out."""
    path, every = config["bags"]["stop_words"], sorted(config["languages"])
    return [path.replace("{language}", x) for x in languages or every] if path else []


def split(config: Config) -> list[str]:
    """Return the file of a split that is given; none if it is drawn, or given by patterns."""
    given = config["splits"].get("given")
    return [given] if isinstance(given, str) else []


def alignments(config: Config, languages: Iterable[str]) -> list[str]:
    """Return the given word translation tables of each directed pair; none if they are made."""
    if is_made(config):
        return []
    path = config["alignments"]["path"]
    return [
        path.replace("{source}", a).replace("{target}", b) for a, b in permutations(languages, 2)
    ]


def channel(config: Config, language: str) -> dict[str, str]:
    """Return the files of a language's channel: documents and, if there are any, queries."""
    options = config.get("channels")
    if not options or language not in options["languages"]:
        return {}
    named = {name: options[name] for name in ("documents", "queries") if options[name]}
    return {name: path.replace("{language}", language) for name, path in named.items()}


def channels(config: Config, languages: Iterable[str]) -> list[str]:
    """Return the files of the channels of some languages, judgements last; none without any."""
    files = [path for x in languages for path in channel(config, x).values()]
    return [*files, *filter(None, [config["channels"]["qrels"]])] if files else []


def elsewhere(config: Config) -> Iterator[tuple[str, str]]:
    """Yield the keys and addresses of files that have to be fetched."""
    for key, path in _fetchable(config):
        if as_folder(path) is None:
            yield key, path


def _fetchable(config: Config) -> Iterator[tuple[str, str]]:
    """Yield the keys and paths of files that may be given by an address."""
    for language in config["languages"]:
        if path := vectors(config, language):
            yield "vectors.path", path
    for task in readers(config):
        place = f"{ALIGNMENTS_SECTION}.sentences" if task == ALIGNMENTS_SECTION else f"tasks.{task}"
        for bundle in bundles_of(config, task, "").values():
            yield from ((place, x.file) for x in bundle.values() if x.file)
    for system, languages in {(x.system, x.setting.languages) for x in matrix(config)}:
        for (_, key), path in of_system(config, system, languages).items():
            yield f"systems.{system}.{key}", path


def readers(config: Mapping[str, Any]) -> list[str]:
    """Return the tasks with parallel text, and the section `alignments` if it has files of it."""
    parallel = [name for name in config["tasks"] if part(config, "tasks", name).parallel]
    aligned = is_made(config) and not is_of_corpus(sentences_of(config, ALIGNMENTS_SECTION))
    return [*parallel, *([ALIGNMENTS_SECTION] if aligned else [])]


def is_made(config: Mapping[str, Any]) -> bool:
    """Return whether word translation tables are made from parallel text."""
    return "aligner" in config.get(ALIGNMENTS_SECTION, {})


def sentences_of(config: Mapping[str, Any], task: str) -> dict[str, Any]:
    """Return the options of one of the `readers`, under the names that tasks use."""
    if task != ALIGNMENTS_SECTION:
        return config["tasks"][task]
    own = config[ALIGNMENTS_SECTION]["sentences"]
    rest = {"idf": "corpus", "idf_lines": 1, "validation": 0}
    return {**own, "min_words": 1, "candidates": own["most"], **rest}


def is_of_corpus(options: Mapping[str, Any]) -> bool:
    """Return whether a task uses the corpus's own paragraphs."""
    return not (options["path"] or options["address"])


def bundles_of(config: Mapping[str, Any], task: str, paragraphs: str) -> Bundles:
    """Return where the sentences of one of the `readers` are: in files, or the corpus's own.

    UserError: the options are unusable, or the corpus has no parallel paragraphs.
    """
    options = sentences_of(config, task)
    place = f"{ALIGNMENTS_SECTION}.sentences" if task == ALIGNMENTS_SECTION else f"tasks.{task}"
    if not is_of_corpus(options):
        return bundles(options, config["languages"], place)
    if not source(config).parallel:
        raise UserError(
            f"{place}: a corpus of the source {config['corpus']['source']} has no parallel "
            "paragraphs; give the `path` or `address` of parallel files, see docs/tasks.md"
        )
    if options["idf"] != "corpus":
        raise UserError(
            f"{place}: `idf: {options['idf']}` is made of sentences that are not searched; the "
            "corpus's own paragraphs have none: give a `path` or `address`, or take `idf: corpus`"
        )
    languages = config["languages"]
    return {ALL: {x: SentencePlace(paragraphs.replace("{language}", x)) for x in languages}}


def bundle_of(found: Mapping[str, Mapping[str, Any]], pair: tuple[str, str]) -> str:
    """Return the name of the bundle that has both languages of a pair.

    Args:
        found: places by bundle, then by language.
        pair: two languages.
    """
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

    @property
    def here(self) -> list[Path]:
        """Return the files on this machine, or the folder that holds them."""
        if self.is_elsewhere:
            return []
        if places.names_pair(self.where):
            return list(places.find(self.where, self.pairs).values())
        return [Path(self.where)]


def pair_readers(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the tasks' options by name; the section `dictionary` is like lexicon induction."""
    if DICTIONARY not in config:
        return dict(config["tasks"])
    as_task = {"module": "lexicon_induction", "limit": None, "most_frequent": None}
    return {**config["tasks"], DICTIONARY: as_task | config[DICTIONARY]}


def pair_files(config: Mapping[str, Any], task: str) -> PairFiles | None:
    """Return where the files of one of the `pair_readers` are, None if it reads no files of pairs.

    FreeDict's packages are looked up beside those of the help pages if these are in a folder: then
    there is no apt-get. UserError: the option's value is invalid, or no pair has a file.
    """
    options, corpus = pair_readers(config)[task], config["corpus"]
    name = TASKS.kind(task, options).of_pairs
    if not name:
        return None
    where, both = str(options[name]), tuple(_pairs(config, task))
    key = f"{task}.{name}" if task == DICTIONARY else f"tasks.{task}.{name}"
    if where == places.FREEDICT and corpus["source"] == "libreoffice_help" and corpus["path"]:
        return PairFiles(corpus["path"], False, both)
    try:
        found = PairFiles(where, places.is_elsewhere(where), both)
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
    if task == DICTIONARY:
        together = {
            x for each in settings(config).values() for x in permutations(each.languages, 2)
        }
        yield from sorted(together)
        return
    for pair in searched_pairs(config):
        yield from (pair, pair[::-1])
