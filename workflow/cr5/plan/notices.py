"""What is told before any job: what would stop a run, and what it would do otherwise than asked."""

from collections.abc import Iterator
from pathlib import Path

from cr5.base.errors import UserError
from cr5.plan import files
from cr5.plan.config import Configuration
from cr5.plan.plan import Plan
from cr5.splits import given_file


def obstacles(plan: Plan) -> Iterator[str]:
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


def remarks(config: Configuration) -> Iterator[str]:
    """Yield what a run would do otherwise than one may think."""
    languages = config.bags.without_stemmer(config.languages)
    if languages:
        yield (
            f"bags.stemmer: Snowball has no stemmer here for {', '.join(languages)}; words of "
            "these languages stay as they are"
        )
