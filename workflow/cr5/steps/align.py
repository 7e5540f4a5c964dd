"""Make word translation tables of both directions from parallel sentences."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from cr5.base.artefacts import Job
from cr5.base.errors import UserError
from cr5.contracts.step import Paths, Step
from cr5.counts.rules import TokenRules, tokens_of

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger(__name__)


class AlignStep(Step):
    """Make word translation tables of both directions from parallel sentences."""

    first: str
    second: str
    tokens: TokenRules
    aligner: str
    of_documents: bool
    """Whether the sentences are paragraphs of documents that train, and not of files."""
    seed: int

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `alignments` from `sentences`; of documents also from the `setting`."""
        from cr5.texts import alignment, translation_tables

        pair = self.first, self.second
        sentences = self._sentences(inputs)
        tokens = tokens_of(self.tokens, pair, inputs.all("stop_words"))
        output = outputs.first()
        with job.making(output, alignment.KIND, first=self.first, second=self.second) as part:
            tables = alignment.tables(sentences, pair, self.seed, output, threads, tokens)
            for name, table in zip(alignment.FILES, tables, strict=True):
                translation_tables.write(part / name, table)
                log.info("%s: %d entries", name, len(table))

    def _sentences(self, inputs: Paths) -> pd.DataFrame:
        """Return the sentences of parallel files, or the paragraphs of training documents."""
        from cr5.splits import training_documents
        from cr5.texts import aligned, alignment

        if not self.of_documents:
            return aligned.table(inputs.one("sentences"))
        pair = [self.first, self.second]
        paragraphs = inputs.by(pair, "sentences")
        trained = training_documents.paired(training_documents.load(inputs.one("setting")))
        sentences, _ = alignment.of_paragraphs(paragraphs, trained)
        if len(trained) and sentences[pair].dropna().empty:
            raise UserError(
                f"alignments: documents that train in {' and '.join(pair)} share no paragraph; "
                "give parallel files as alignments.sentences"
            )
        return sentences
