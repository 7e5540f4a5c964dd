"""What is told before any job: what would stop a run, and what it would do otherwise than asked."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from cr5.base.errors import UserError
from cr5.plan import files
from cr5.plan.config import Configuration
from cr5.plan.plan import Plan
from cr5.plan.words import GivenVectors
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
    for language in plan.inputs.languages:
        paths_of_key["corpus.path"] += _texts_not_told(plan, language)
        if isinstance(plan.config.vectors, GivenVectors) and _needs_vectors(plan.config):
            path = plan.config.vectors.file(language, plan.config.written)
            paths_of_key["vectors.path"].append(path)
    if isinstance(plan.config.splits.given, str):
        paths_of_key["splits.given"].append(plan.config.splits.given)
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


def _needs_vectors(config: Configuration) -> bool:
    needs = [entry.part.needs for entry in config.systems.values()]
    is_needed = any("vectors" in of_system for of_system in needs)
    return is_needed or config.bags.vocabulary == "vectors"


def remarks(config: Configuration) -> Iterator[str]:
    """Yield what a run would do otherwise than one may think."""
    languages = config.bags.without_stemmer(config.languages)
    if languages:
        yield (
            f"bags.stemmer: Snowball has no stemmer here for {', '.join(languages)}; words of "
            "these languages stay as they are"
        )
