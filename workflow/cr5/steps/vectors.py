"""Train word vectors of one language on all documents that are not queries."""

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step
from cr5.counts.rules import TokenRules, tokens_of
from cr5.fitting.options import VectorOptions


class VectorsStep(Step):
    """Train word vectors of one language on all documents that are not queries.

    A document whose concept is a test or a validation query does not train, nor its copies if
    these are kept together.
    """

    language: str
    tokens: TokenRules
    options: VectorOptions
    processor: str
    """`own` or `common`: of other instructions the last bits differ."""
    seed: int

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `vectors` from `documents`, the `draw` and the file of `stop_words`, if any."""
        from cr5.counts import documents
        from cr5.fitting import vectors
        from cr5.splits.draw import Draw

        language = self.language
        options = self.options.model_copy(update={"threads": threads})  # fewer, with fewer cores
        tokens = tokens_of(self.tokens, [language], inputs.all("stop_words"))
        held_out = frozenset(Draw.load(inputs.one("draw")).kept_from_training())
        stored = documents.stream(inputs.one("documents"), ["concept", "text"], language=language)
        output = outputs.first()
        with vectors.sentences(stored, held_out, language, tokens, output) as sentences:
            words, rows = vectors.train(sentences, options, self.seed)
        vectors.save(output, words, rows, language, job)
