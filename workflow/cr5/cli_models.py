"""Which model the arguments of a command name, and what is said of it."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cr5.cli_texts import say

if TYPE_CHECKING:
    from cr5.contracts.model import Model
    from cr5.retrieval.embedder import Embedder


def model(arguments: Namespace) -> "Embedder":
    """Load the model that the arguments name, and say which one of a run it is."""
    from cr5.retrieval.loading import load

    embedder = load(arguments.place, **choice_of_model(arguments))
    tell_model(embedder, arguments)
    return embedder


def tell_model(embedder: "Embedder", arguments: Namespace) -> None:
    """Say which model it is, if it is one of a run."""
    from cr5.retrieval.loading import is_results

    if not is_results(arguments.place):
        return
    about = embedder.about
    names = ", ".join(f"{name} {about[name]}" for name in ("system", "setting") if about.get(name))
    is_named = arguments.system and arguments.setting
    by_score = "" if is_named else ", the best that is there"
    say(f"{arguments.place}: {names}{by_score}")


def tell_more_words(embedder: "Embedder", arguments: Namespace) -> None:
    """Say of a run's model if it knows words here that its evaluation did not."""
    from cr5.retrieval.loading import is_results

    has_beginnings = any(fallbacks.beginnings for fallbacks in embedder.model.fallbacks.values())
    if has_beginnings and is_results(arguments.place):
        say(
            "Words that the run did not count, as they are rare, count here as their beginnings: "
            "this search knows more than the evaluation did."
        )


def choice_of_model(arguments: Namespace) -> dict[str, Any]:
    """Return which model of a run is meant, as `load` and `open_index` take it."""
    return {
        "system": arguments.system,
        "setting": arguments.setting,
        "repetition": arguments.repetition,
        "classes": classes(arguments),
    }


def classes(arguments: Namespace) -> "list[type[Model]]":
    """Return the classes of models in the user's own file, if the arguments name one."""
    from cr5.contracts.catalogue import load_module
    from cr5.models.store import classes_in

    if not arguments.module:
        return []
    return classes_in(load_module(Path(arguments.module)))
