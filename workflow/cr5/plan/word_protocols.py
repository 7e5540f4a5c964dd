"""In what a run differs from published runs on given word vectors, from its configuration."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

FIRST = 200_000  # words of each language
WHOLE = {"offset": 0, "limit": None, "invert": False, "most_frequent": None}
SEARCH = {"csls_neighbours": 10, "csls_neighbourhood": "candidates", "inverse_temperature": 30.0}


@dataclass(frozen=True)
class Protocol:
    """What a paper's runs share.

    Attributes:
        whose: for messages.
        vectors: what the name of a file of vectors has in it.
        train: how that of a training dictionary ends.
        test: how that of a test dictionary ends.
    """

    whose: str
    vectors: str
    train: str
    test: str


PROTOCOLS = {
    # Conneau et al. (2018), Joulin et al. (2018), Tables 1 and 2
    "muse": Protocol(
        "MUSE's", "wiki.{language}.vec", "{source}-{target}.0-5000.txt", ".5000-6500.txt"
    ),
    # Dinu et al. (2015), Joulin et al. (2018), Table 3
    "wacky": Protocol("Dinu et al.'s", "200K.cbow1", "_train_5K.txt", "europarl_test.txt"),
}


def unlike(config: Mapping[str, Any], task: str) -> dict[str, list[str]]:
    """Return by protocol what is different, a clause each; nothing where figures may be compared.

    Args:
        config: validated.
        task: whose figures.
    """
    return {name: list(_unlike(config, task, x)) for name, x in PROTOCOLS.items()}


def _unlike(config: Mapping[str, Any], task: str, protocol: Protocol) -> Iterator[str]:
    vectors, whose = config["vectors"], protocol.whose
    if protocol.vectors not in vectors.get("path", ""):
        yield f"the vectors are not {whose}"
    elif vectors["most_frequent"] != FIRST:
        yield f"vectors.most_frequent is {vectors['most_frequent']}, not {FIRST}"
    if config["bags"]["vocabulary"] != "vectors":
        yield "the vocabulary is not that of the vectors"
    if not config.get("dictionary", {}).get("dictionaries", "").endswith(protocol.train):
        yield f"the training dictionary is not {whose}"
    if not config["tasks"][task].get("dictionaries", "").endswith(protocol.test):
        yield f"the words are not those of {whose} test"
    yield from _parts("dictionary", config.get("dictionary", {}))
    yield from _parts(f"tasks.{task}", config["tasks"][task])
    for key, paper in SEARCH.items():
        if config["evaluation"][key] != paper:
            yield f"evaluation.{key} is {config['evaluation'][key]}, not {paper}"


def _parts(name: str, options: Mapping[str, Any]) -> Iterator[str]:
    """Whole files are meant, and all words of the vectors."""
    for key, whole in WHOLE.items():
        if options.get(key, whole) != whole:
            yield f"{name}.{key} is {options[key]}"
