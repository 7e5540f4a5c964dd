"""What is told before any job: what would stop a run, and what it would do otherwise than asked."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from cr5.base.errors import UserError
from cr5.contracts.keys import FILE
from cr5.plan import files
from cr5.plan.config import Configuration
from cr5.plan.plan import Plan
from cr5.plan.words import ALIGNMENTS_SECTION, CHANNELS, Alignments, GivenVectors
from cr5.splits import given_file
from cr5.texts.fetch import local_path


def obstacles(plan: Plan) -> list[str]:
    """Return, each once, what would stop a run, as far as the first texts of files show it."""
    return list(dict.fromkeys(_obstacles(plan)))


def _obstacles(plan: Plan) -> Iterator[str]:
    """Yield what the source of the corpus refuses, of languages whose texts are not read yet.

    And what is wrong with the file of a split that is given.
    """
    given = plan.config.splits.given
    if isinstance(given, str):
        try:
            given_file.check(given)
        except UserError as error:
            yield f"splits.given: {error}"
    source = plan.config.corpus.part
    try:
        source.check()
    except UserError as error:
        yield str(error)
    for language in plan.inputs.languages:
        places = (plan.places.documents, plan.places.pins)
        if any(Path(place.format(language=language)).exists() for place in places):
            continue
        paths = files.texts_of_corpus(plan.config, language)
        path = None
        if paths:
            path = Path(paths[0])
        try:
            source.check_texts(path, language)
        except UserError as error:
            yield str(error)


def missing(plan: Plan) -> Iterator[str]:
    """Yield by key which of the user's files are not there, where jobs would read them.

    Of sources that say themselves what is there instead, see `obstacles`, nothing.
    """
    paths_of_key: dict[str, list[str]] = defaultdict(list)
    of_sections = (_files_of_corpus, _files_of_words, _files_of_systems, _files_of_tasks)
    for files_of_section in of_sections:
        for key, path in files_of_section(plan):
            paths_of_key[key].append(path)
    for key, paths in paths_of_key.items():
        not_there = []
        for path in dict.fromkeys(paths):
            place = local_path(path)
            if place and not place.exists():
                not_there.append(path)
        if not_there:
            yield (
                f"{key}: there is no {', no '.join(not_there)}; correct the path, bring what is "
                "missing, or leave its language, or the key, out. Relative paths start at "
                f"{Path.cwd()}."
            )


def _texts_not_told(plan: Plan, language: str) -> list[str]:
    """Return texts of a language that are not there; none if its source refuses them by itself."""
    paths = []
    for path in files.texts_of_corpus(plan.config, language):
        if not Path(path).exists():
            paths.append(path)
    try:
        for path in paths:
            plan.config.corpus.part.check_texts(Path(path), language)
    except UserError:
        return []
    return paths


def _files_of_corpus(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield keys and paths of texts, and of how they are split."""
    for language in plan.inputs.languages:
        for path in _texts_not_told(plan, language):
            yield "corpus.path", path
    if isinstance(plan.config.splits.given, str):
        yield "splits.given", plan.config.splits.given


def _files_of_words(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield keys and paths of stop words, and of vectors and translations of words."""
    config = plan.config
    for path in plan.inputs.stop_words(plan.inputs.languages):
        yield "bags.stop_words", path
    if isinstance(config.vectors, GivenVectors) and _needs_vectors(config):
        for language in plan.inputs.languages:
            yield "vectors.path", config.vectors.file(language, config.written)
    if isinstance(config.alignments, Alignments):
        for row in config.matrix:
            if "alignments" in config.systems[row.system].part.needs:
                for path in config.alignments.files(row.setting.languages, config.written):
                    yield "alignments.path", path


def _needs_vectors(config: Configuration) -> bool:
    return _is_needed(config, "vectors") or config.bags.vocabulary == "vectors"


def _is_needed(config: Configuration, need: str) -> bool:
    """Return whether any system needs what a key of its class names."""
    return any(need in entry.part.needs for entry in config.systems.values())


def _files_of_systems(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield keys and paths of systems' own files."""
    config = plan.config
    for row in config.matrix:
        entry = config.systems[row.system]
        for language in row.setting.languages:
            for key, path in entry.part.files(language, config.written).items():
                yield f"{entry.place}.{key}", path


def _files_of_tasks(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield keys and paths of tasks' own files, and of the sections that are read like tasks."""
    config = plan.config
    for name, entry in config.all_tasks.items():
        if name in (ALIGNMENTS_SECTION, CHANNELS) and not _is_needed(config, name):
            continue
        for bundle in plan.inputs.bundles.get(name, {}).values():
            for place in bundle.values():
                if place.file:
                    yield f"{entry.place}.path", place.file
        if entry.part.parallel:
            continue
        for language in plan.inputs.languages:
            for key, path in entry.part.files(language, config.written).items():
                if key not in entry.part.marked(FILE):
                    key = "path"  # which has the files of several parts
                yield f"{entry.place}.{key}", path


def remarks(config: Configuration) -> Iterator[str]:
    """Yield what a run would do otherwise than one may think."""
    languages = config.bags.without_stemmer(config.languages)
    if languages:
        yield (
            f"bags.stemmer: Snowball has no stemmer here for {', '.join(languages)}; words of "
            "these languages stay as they are"
        )
