"""Released word vectors, such as those of Cr5's authors; nothing is fitted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from pydantic import PositiveInt

from cr5.base.errors import UserError
from cr5.base.parts import File, System

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


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
        from cr5.fitting import vectors
        from cr5.fitting.contract import Fit

        tables, counts, warnings = {}, {}, []
        for language, words in training.words.items():
            path = training.files[language]["path"]
            known, rows = vectors.read(path, dimension=self.dimension)
            there = {*known}
            has = np.array([word in there for word in words])
            if not has.any():
                raise UserError(
                    f"{path}: none of its {len(known)} words is one of the {len(words)} of the "
                    f"vocabulary; is it of another language, are its words not lower-cased, or has "
                    f"it not {self.dimension} numbers a line (`dimension`)?"
                )
            tables[language] = vectors.align(known, rows, words)
            counts[language] = {
                "file": len(known),
                "vocabulary": len(words),
                "with_vector": int(has.sum()),
            }
            warnings += _lacking(language, training.frequencies[language], ~has)
        model = training.model(tables)
        if not self.idf:
            ones = {language: np.ones(len(words)) for language, words in training.words.items()}
            model = replace(model, weights=ones)
        return Fit(model, {"words": counts, "warnings": warnings})


def _lacking(language: str, frequencies: np.ndarray, lacks: np.ndarray) -> list[str]:
    """Say how many words have no vector, and their share of the text."""
    if not lacks.any():
        return []
    share = frequencies[lacks].sum() / frequencies.sum()
    return [
        f"{language}: {lacks.sum()} of {len(lacks)} words, {share:.1%} of the text, have no vector "
        "and do not count"
    ]
