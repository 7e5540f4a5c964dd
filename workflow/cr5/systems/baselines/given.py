"""What others published: word vectors and sentence encoders, as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field, PositiveInt

from cr5.base.errors import UserError
from cr5.base.parts import File, System

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


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
        return Fit(training.model(tables), {"words": counts, "warnings": warnings})


class Encoder(System):
    """A sentence encoder of others, as it is: what a user would take instead.

    Nothing is fitted. The encoder embeds the texts of the documents themselves, the same queries
    and candidates as for every other system; its training data are not known here, and may include
    them.
    """

    title = "Encoder"
    cost = (1, 0.5)
    needs = ("texts",)

    path: Annotated[File, Field(pattern=r"^[^{}]*$")] = ""
    """Of the encoder's folder on this machine, one for all languages."""
    prefix: str = ""
    """Put before each text, such as `query: `, if the encoder expects it."""

    def fit(self, training: TrainingSet) -> Fit:
        """Identify the encoder, and try it."""
        from pathlib import Path

        from cr5.fitting.contract import Fit
        from cr5.models.text_encoder import PACKAGE, TextEncoder, sha256_of

        folder = Path(training.files[training.languages[0]]["path"])
        model = TextEncoder(training.words, str(folder), sha256_of(folder), self.prefix)
        example = model.embed(["a"], training.languages[0])
        import sentence_transformers  # which embedding found installed

        version = sentence_transformers.__version__
        report = {"package": PACKAGE, "version": version, "dimension": example.shape[1]}
        return Fit(model, report)
