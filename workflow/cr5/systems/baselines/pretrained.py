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
        for x, words in training.words.items():
            path = training.files[x]["path"]
            known, rows = vectors.read(path, dimension=self.dimension)
            there, n = {*known}, len(words)
            lacks = np.array([word not in there for word in words])
            if lacks.all():
                raise UserError(
                    f"{path}: none of its {len(known)} words is in the vocabulary; is it of "
                    f"another language, are its words not lower-cased, or has it not "
                    f"{self.dimension} numbers a line (`dimension`)?"
                )
            tables[x] = vectors.align(known, rows, words)
            has = {"vocabulary": n, "with_vector": int(n - lacks.sum())}
            counts[x] = {"file": len(known), **has}
            if lacks.any():
                share = training.frequencies[x][lacks].sum() / training.frequencies[x].sum()
                warnings.append(
                    f"{x}: {lacks.sum()} of {n} words, {share:.1%} of the text, have no vector and "
                    "do not count"
                )
        model = training.model(tables)
        if not self.idf:
            model = replace(model, weights={x: np.ones(len(y)) for x, y in training.words.items()})
        return Fit(model, {"words": counts, "warnings": warnings})
