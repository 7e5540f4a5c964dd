"""Released word vectors, as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveInt

from cr5.base.errors import UserError
from cr5.contracts.keys import File
from cr5.contracts.system import System

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet


class Pretrained(System):
    """Released word vectors, such as those of Cr5's authors; nothing is fitted.

    Josifoski et al. published a file per language, `{model}_{language}.txt.gz`. Their training data
    is not known here: it may include the documents that are searched. Words are weighed by the idf
    of our training documents, as in the paper.
    """

    title = "Pretrained vectors"
    cost = (1, 0.5)

    path: File = ""
    """Of the files, or their address, with {language}."""
    dimension: PositiveInt = 300
    """Numbers of a line."""

    def fit(self, training: TrainingSet) -> Fit:
        """Read the vectors of the vocabularies; words without one do not count."""
        from cr5.contracts.training import Fit
        from cr5.fitting import vectors
        from cr5.models.word_tables import WordTables

        tables = {}
        counts = {}
        warnings = []
        for language, words in training.words.items():
            path = training.files[language]["path"]
            known_words, rows = vectors.read(path, dimension=self.dimension)
            coverage = vectors.coverage(language, known_words, rows, words)
            if not coverage.n_with_vector:
                raise UserError(
                    f"{path}: none of its {len(known_words)} words is in the vocabulary; is it of "
                    f"another language, are its words not lower-cased, or has it not "
                    f"{self.dimension} numbers a line (`dimension`)?"
                )
            tables[language] = vectors.align(known_words, rows, words)
            counts[language] = {
                "file": len(known_words),
                "vocabulary": len(words),
                "with_vector": coverage.n_with_vector,
            }
            warnings += coverage.warnings
            lacks_vector = ~tables[language].any(axis=1)
            if lacks_vector.any():
                frequencies = training.frequencies[language]
                share = frequencies[lacks_vector].sum() / frequencies.sum()
                warnings.append(
                    f"{language}: {lacks_vector.sum()} of {len(words)} words, {share:.1%} of the "
                    "text, have no vector and do not count"
                )
        return Fit(WordTables.of(training, tables), {"words": counts, "warnings": warnings})
