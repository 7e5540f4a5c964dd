"""Word translation tables are made of parallel sentences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cr5.base.artefacts import Job
from cr5.base.errors import UserError
from cr5.counts.tokens import TokenRules
from cr5.steps.contract import Inputs, Paths, Step

if TYPE_CHECKING:
    import pandas as pd


class AlignInputs(Inputs):
    """Joined sentences of parallel files; or paragraphs of both languages and who trains."""

    sentences: Paths
    trained: Paths = ()
    stop_words: Paths = ()


class AlignStep(Step):
    """Tables of both directions, from links between words by an aligner."""

    first: str
    second: str
    where: dict[str, str]  # setting and repetition, where paragraphs of training documents count
    aligner: str
    tokens: TokenRules
    seed: int

    def run(self, inputs: AlignInputs, output: Path, job: Job) -> None:
        """Align the sentences, and count the links."""
        from cr5.counts.rules import tokens_of
        from cr5.texts import alignment, translation_tables

        pair = (self.first, self.second)
        sentences = self._sentences(inputs)
        tokens = tokens_of(self.tokens, pair)
        subject = {"first": self.first, "second": self.second, **self.where}
        with job.making(output, alignment.KIND, **subject) as folder:
            tables = alignment.tables(sentences, pair, self.seed, output, job.threads, tokens)
            for name, table in zip(alignment.FILES, tables, strict=True):
                translation_tables.write(folder / name, table)
                job.log.info("%s: %d entries", name, len(table))

    def _sentences(self, inputs: AlignInputs) -> pd.DataFrame:
        """Return the sentences of parallel files, or the paragraphs of the training documents."""
        from cr5.splits import training_documents
        from cr5.texts import aligned, alignment

        if not inputs.trained:
            return aligned.table(inputs.sentences[0])
        trained = training_documents.load(inputs.trained[0])
        pair = [self.first, self.second]
        paragraphs = dict(zip(pair, inputs.sentences, strict=True))
        sentences, _ = alignment.of_paragraphs(paragraphs, trained)
        if len(trained) and sentences[pair].dropna().empty:
            raise UserError(
                f"alignments: documents that train in {self.first} and {self.second} share no "
                "paragraph; give parallel files as alignments.sentences"
            )
        return sentences
