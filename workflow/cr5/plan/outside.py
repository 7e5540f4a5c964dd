"""Files that the configuration names: of systems, tasks, vectors, word tables, parallel text."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.corpora.fetch.access import as_folder
from cr5.corpora.parallel import ALL, Bundle, Place, bundles, is_remote, local
from cr5.plan.catalogue import files_of, has_files, is_parallel, not_there, source_of
from cr5.plan.corpus import literal
from cr5.plan.matrix import matrix
from cr5.plan.options import needs_of
from cr5.plan.words import TABLES

Config = Mapping[str, Any]


def of_system(config: Config, system: str, languages: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return a system's own files, or their addresses, by language and option.

    Raises:
        UserError: one of them is not given.
    """
    options = config["systems"][system]
    source = source_of("systems", system, options)
    return {
        (language, option): path
        for language in (languages if has_files(source) else [])
        for option, path in files_of(source, options, language, "systems").items()
    }


def of_task(config: Config, task: str, language: str) -> dict[str, str]:
    """Return a task's own files for one language by option; parallel text has none of these.

    Raises:
        UserError: one of them is not given.
    """
    options = config["tasks"][task]
    source = source_of("tasks", task, options)
    return {} if is_parallel(source) else files_of(source, options, language)


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


def vectors_read_channels(config: Config) -> bool:
    """Return whether word vectors are trained on channels too."""
    return bool(config.get("channels", {}).get("train_vectors"))


def missing(config: Config) -> Iterator[str]:
    """Report files that do not exist, a sentence each; those to be fetched are skipped.

    Args:
        config: validated.

    Raises:
        UserError: a file is not given.
    """
    yield from sorted(set(_missing(config)))
    for task in readers(config):
        yield from missing_files(config, task)


def elsewhere(config: Config) -> Iterator[tuple[str, str]]:
    """Yield the keys and addresses of files that have to be fetched."""
    return ((key, address) for key, address, *_ in _named(config) if as_folder(address) is None)


def _missing(config: Config) -> Iterator[str]:
    """Report each file that does not exist, with the key that names it."""
    for key, address, source, option in _named(config):
        path = as_folder(address)
        if path is not None and (said := not_there(source, option, path)):
            yield f"{key}: {said}"


def _named(config: Config) -> Iterator[tuple[str, str, Path | None, str]]:
    """Yield the key that names a file, its path or address, and whose option it is, if any's."""
    yield from (("bags.stop_words", path, None, "") for path in stop_words(config))
    yield from (("channels", path, None, "") for path in channels(config, config["languages"]))
    yield from (("splits.given", path, None, "") for path in split(config))
    for language in config["languages"]:
        if path := vectors(config, language):
            yield "vectors.path", path, None, ""
        for task in config["tasks"]:
            for option, path in of_task(config, task, language).items():
                yield f"tasks.{task}.{option}", path, None, ""
    for row in matrix(config):
        languages, options = row.setting.languages, config["systems"][row.system]
        source = source_of("systems", row.system, options)
        for (_, option), path in of_system(config, row.system, languages).items():
            yield f"systems.{row.system}.{option}", path, source, option
        if "alignments" in needs_of(row.system, options):
            yield from (("alignments.path", x, None, "") for x in alignments(config, languages))


def parallel_tasks(config: Mapping[str, Any]) -> list[str]:
    """Return the names of the tasks with parallel text."""
    return [
        name
        for name, options in config["tasks"].items()
        if is_parallel(source_of("tasks", name, options))
    ]


def readers(config: Mapping[str, Any]) -> list[str]:
    """Return the same, with `TABLES` as if it were a task if it has parallel files."""
    aligned = is_made(config) and not is_of_corpus(options_of(config, TABLES))
    return [*parallel_tasks(config), *([TABLES] if aligned else [])]


def is_made(config: Mapping[str, Any]) -> bool:
    """Return whether word translation tables are made from parallel text."""
    return "aligner" in config.get(TABLES, {})


def options_of(config: Mapping[str, Any], task: str) -> dict[str, Any]:
    """Return the options of one of the `readers`, under the names that tasks use."""
    if task != TABLES:
        return config["tasks"][task]
    own = config[TABLES]["sentences"]
    rest = {"idf": "corpus", "idf_lines": 1, "validation": 0}
    return {**own, "min_words": 1, "candidates": own["most"], **rest}


def is_of_corpus(options: Mapping[str, Any]) -> bool:
    """Return whether a task uses the corpus's own paragraphs."""
    return not (options["path"] or options["address"])


def bundles_of(config: Mapping[str, Any], task: str, paragraphs: str) -> list[Bundle]:
    """Return where the sentences of a task, or of `TABLES`, are.

    Args:
        config: validated.
        task: its name.
        paragraphs: path of the corpus's paragraphs, with {language}.

    Raises:
        UserError: the options are unusable, or the corpus has no parallel paragraphs.
    """
    options = options_of(config, task)
    place = f"{TABLES}.sentences" if task == TABLES else f"tasks.{task}"
    if not is_of_corpus(options):
        return bundles(options, config["languages"], place)
    if not literal(config["corpus"], "PARALLEL"):
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
    return [Bundle(ALL, {x: Place(paragraphs.replace("{language}", x)) for x in languages})]


def missing_files(config: Mapping[str, Any], task: str) -> Iterator[str]:
    """Report missing files of one of the `readers`, except those to be fetched.

    Raises:
        UserError: as for `bundles_of`.
    """
    key = f"{TABLES}.sentences" if task == TABLES else f"tasks.{task}"
    found = bundles_of(config, task, "")
    files = (place.file for bundle in found for place in bundle.places.values())
    for file in dict.fromkeys(filter(None, files)):
        if not is_remote(file) and not Path(local(file)).is_file():
            yield f"{key}: there is no file {file}"


def bundle_of(found: Mapping[str, Mapping[str, Any]], pair: tuple[str, str]) -> str:
    """Return the name of the bundle that has both languages of a pair.

    Args:
        found: places by bundle, then by language.
        pair: two languages.

    Raises:
        UserError: no bundle has both.
    """
    for name, places in found.items():
        if set(pair) <= set(places):
            return name
    raise UserError(
        f"{TABLES}.sentences: no parallel files of {' and '.join(pair)}, which train together; "
        f"there are those of {', '.join(found)}. Add them, or leave these languages out"
    )
