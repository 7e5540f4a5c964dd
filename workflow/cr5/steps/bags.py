"""Bags of words are made of the documents of one language."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from cr5.base.artefacts import Job
from cr5.counts.rules import Rules
from cr5.steps.contract import Inputs, Paths, SourceChoice, Step


class BagsInputs(Inputs):
    """Documents; given word vectors where these choose the words; stop words."""

    documents: Path
    vectors: Paths = ()
    stop_words: Paths = ()


class BagsStep(Step):
    """Bags of words of documents."""

    rules: Rules
    language: str

    def run(self, inputs: BagsInputs, output: Path, job: Job) -> None:
        """Count the words of the documents, choose words, and keep documents by their lengths."""
        import pandas as pd

        from cr5.counts import bags, documents
        from cr5.counts.counting import Pieces
        from cr5.counts.rules import tokens_of

        columns = ["concept", "title"]
        # which checks the file
        rows = documents.stream(inputs.documents, columns, language=self.language)
        names = pd.DataFrame(rows, columns=columns)
        tokens = tokens_of(self.rules, [self.language])
        given_words = bags.given_words(inputs.vectors, self.language)
        beside = inputs.documents.parent
        with TemporaryDirectory(dir=beside, prefix=f"{self.language}.counted.") as scratch:
            file = inputs.documents / documents.FILE
            pieces = Pieces(file, self.language, tokens, Path(scratch), job.threads)
            _, summary = bags.build(
                pieces, names, self.rules, self.language, output, given_words, job=job
            )
        job.log.info("%s", summary)


class MatrixInputs(Inputs):
    """The user's files of weighted rows."""

    files: Paths


class MatrixOutputs(Inputs):
    """The bags; and the documents, of which there are only names."""

    bags: Path
    documents: Path


class MatrixBagsStep(Step):
    """Bags of documents that are already weights of numbered words, with a class each."""

    source: SourceChoice
    rules: Rules
    language: str

    def run(self, inputs: MatrixInputs, outputs: MatrixOutputs, job: Job) -> None:
        """Read the rows, and write their bags and the names of their documents."""
        from cr5.counts import bags, documents
        from cr5.texts.sources import matrix

        source = self.source.part
        prefixes = source.files(self.language)
        rows = chain.from_iterable(
            matrix.documents(prefix, path)
            for prefix, path in zip(prefixes, inputs.files, strict=True)
        )
        prefix = source.prefix_of(self.language)
        built, summary = bags.weighted(
            rows, self.rules, self.language, prefix, outputs.bags, job=job
        )
        job.log.info("%s", summary)
        names = built.documents[["concept", "title"]].itertuples(index=False, name=None)
        without_text = ((concept, title, "") for concept, title in names)
        documents.write(outputs.documents, without_text, self.language, job=job)
