"""Word vectors of one language are read, or trained."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from cr5.base.artefacts import Job
from cr5.counts.tokens import TokenRules
from cr5.fitting.options import VectorOptions
from cr5.steps.contract import Inputs, Paths, Step


class GivenVectorsInputs(Inputs):
    """The user's file."""

    file: Path


class GivenVectorsStep(Step):
    """Given word vectors, of the most frequent words."""

    language: str
    most_frequent: int

    def run(self, inputs: GivenVectorsInputs, output: Path, job: Job) -> None:
        """Read the file, and write what is kept of it."""
        from cr5.fitting import vectors

        words, rows = vectors.read(inputs.file, self.most_frequent)
        vectors.save(output, words, rows, self.language, job=job)


class VectorsInputs(Inputs):
    """Documents, of which those of the draw's queries do not train; stop words."""

    documents: Path
    draw: Path
    stop_words: Paths = ()


class VectorsStep(Step):
    """Word vectors trained on all documents of a language that are not queries."""

    language: str
    tokens: TokenRules
    options: VectorOptions
    processor: Literal["common", "own"]
    seed: int

    def run(self, inputs: VectorsInputs, output: Path, job: Job) -> None:
        """Train; a document whose concept is a test or a validation query does not count."""
        from cr5.counts import documents
        from cr5.counts.rules import tokens_of
        from cr5.fitting import vectors
        from cr5.splits.draw import Draw

        # fewer threads than the options say, with fewer cores
        options = self.options.model_copy(update={"threads": job.threads})
        tokens = tokens_of(self.tokens, [self.language])
        held_out = frozenset(Draw.load(inputs.draw).held_out())
        rows = documents.stream(inputs.documents, ["concept", "text"], language=self.language)
        with vectors.sentences(rows, held_out, self.language, tokens, output) as sentences:
            words, word_vectors = vectors.train(sentences, options, self.seed)
        vectors.save(output, words, word_vectors, self.language, job=job)
