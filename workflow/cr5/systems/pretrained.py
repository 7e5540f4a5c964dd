"""Released word vectors, such as those of Cr5's authors; nothing is fitted.

Josifoski et al. published a file per language, `{model}_{language}.txt.gz`. Their training data is
not known here: it may include the documents that are searched.
"""

from dataclasses import replace

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.vector_readers import Found, read_vectors, released_entries

TITLE = "Pretrained vectors"
COST = (1, 0.5)
FILES = ("path",)

OPTIONS = {
    "path": ("", "{path}", "of the files, or their address, with {language}"),
    "dimension": (300, {"ge": 1}, "numbers of a line"),
    # the paper's; the authors' loader of released vectors takes tf alone
    "idf": (True, "whether words are weighed by the idf of our training documents"),
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Read the vectors of the vocabularies.

    Args:
        training: its vocabularies and weights; its file of each language.
        options: `dimension`, of the vectors; `idf`.

    Returns:
        A model in which words without a vector do not count; and a report of their number.

    Raises:
        UserError: with file and line.
    """
    found = {
        language: read_vectors(training.files[language]["path"], words, options["dimension"])
        for language, words in training.words.items()
    }
    model = training.model({language: each.table for language, each in found.items()})
    if not options["idf"]:
        ones = {language: np.ones(len(words)) for language, words in training.words.items()}
        model = replace(model, weights=ones)
    report = {
        "words": {language: _counts(each) for language, each in found.items()},
        "warnings": [
            x for language, each in found.items() for x in _lacking(training, language, each)
        ],
    }
    return Fit(model, report)


def records(files: dict, options: dict, language: str) -> dict:
    """Read the files of a language line by line, to check them before any job."""
    return {"path": released_entries(files["path"], options["dimension"])}


def _counts(found: Found) -> dict[str, int]:
    return {
        "file": found.n_words,
        "vocabulary": len(found.has),
        "with_vector": int(found.has.sum()),
    }


def _lacking(training: TrainingSet, language: str, found: Found) -> list[str]:
    """Say how many words have no vector, and their share of the text."""
    frequencies, lacks = training.frequencies[language], ~found.has
    if not lacks.any():
        return []
    share = frequencies[lacks].sum() / frequencies.sum()
    return [
        f"{language}: {lacks.sum()} of {len(lacks)} words, {share:.1%} of the text, have no vector "
        "and do not count"
    ]
