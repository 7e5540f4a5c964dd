"""Released word vectors, such as those of Cr5's authors; nothing is fitted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from pydantic import PositiveInt

from cr5.base.parts import File, System

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.models.vector_readers import Found


class Pretrained(System):
    """Released word vectors, such as those of Cr5's authors; nothing is fitted.

    Josifoski et al. published a file per language, `{model}_{language}.txt.gz`. Their training data
    is not known here: it may include the documents that are searched.
    """

    title = "Pretrained vectors"
    cost = (1, 0.5)

    path: File = ""
    """Of the files, or their address, with {language}."""
    dimension: PositiveInt = 300
    """Numbers of a line."""
    # the paper's; the authors' loader of released vectors takes tf alone
    idf: bool = True
    """Whether words are weighed by the idf of our training documents."""

    def fit(self, training: TrainingSet) -> Fit:
        """Read the vectors of the vocabularies.

        Args:
            training: its vocabularies and weights; its file of each language.

        Returns:
            A model in which words without a vector do not count; and a report of their number.

        Raises:
            UserError: with file and line.
        """
        from cr5.fitting.contract import Fit
        from cr5.models.vector_readers import read_vectors

        found = {
            language: read_vectors(training.files[language]["path"], words, self.dimension)
            for language, words in training.words.items()
        }
        model = training.model({language: each.table for language, each in found.items()})
        if not self.idf:
            ones = {language: np.ones(len(words)) for language, words in training.words.items()}
            model = replace(model, weights=ones)
        report = {
            "words": {language: _counts(each) for language, each in found.items()},
            "warnings": [
                x for language, each in found.items() for x in _lacking(training, language, each)
            ],
        }
        return Fit(model, report)


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
