"""In what a run differs from those of Platt et al. (EMNLP 2010), from its configuration."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Corpus:
    """What the experiments on one corpus share; all are English-Spanish.

    Attributes:
        said: clause on any other text.
        named: what the paths of the corpus, or of the task, have in them.
        source: of the configuration, that has the text whatever its path.
        test: documents that are queries, and the candidates; None where the files say it.
        validation: of the development set.
        whole: whether no document is left out for its length.
    """

    said: str
    named: str
    source: str = ""
    test: int | None = None
    validation: int | None = None
    whole: bool = False


# In release v2 of Europarl: 2001 validates, 2000 and January to September 2003 test.
CORPORA = {
    "opca_europarl": Corpus(
        "the text is not speeches of Europarl", "europarl", "", 18_415, 11_933, True
    ),
    "opca_wikipedia": Corpus("the text is not Wikipedia", "wikipedia", "wikipedia", 8675, 8675),
    "opca_reuters": Corpus("the documents are not Multilingual Reuters'", "reuters"),
}


def unlike(config: Mapping[str, Any], task: str) -> dict[str, list[str]]:
    """Return by protocol what is different, a clause each; nothing where figures may be compared.

    Args:
        config: validated.
        task: whose figures.
    """
    return {name: list(_unlike(config, task, corpus)) for name, corpus in CORPORA.items()}


def _unlike(config: Mapping[str, Any], task: str, corpus: Corpus) -> Iterator[str]:
    if config["corpus"]["source"] != corpus.source and corpus.named not in _paths(config, task):
        yield corpus.said
    splits = config["splits"]
    sizes = {"test": corpus.test, "candidates": corpus.test, "validation": corpus.validation}
    for key, size in sizes.items():
        if size is not None and splits[key] != size:
            yield f"splits.{key} is {splits[key]}, not {size}"
    if splits.get("query_unique_words"):
        yield f"splits.query_unique_words is {splits['query_unique_words']}"
    least = config["bags"]["unique_words"][0]
    if corpus.whole and least > 1:
        yield f"documents of fewer than {least} different words are left out"


def _paths(config: Mapping[str, Any], task: str) -> str:
    sections = config["corpus"], config["tasks"][task]
    return " ".join(str(section.get("path") or "") for section in sections).lower()
