"""Make bags of words from the documents of one language."""

import logging
from pathlib import Path
from tempfile import TemporaryDirectory

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step
from cr5.counts.rules import Rules, tokens_of

log = logging.getLogger(__name__)
NAMES = ["concept", "title"]


class BagsStep(Step):
    """Count the words of one language's documents."""

    language: str
    rules: Rules

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `bags` from `documents`, given `vectors` and the file of `stop_words`, if any."""
        import pandas as pd

        from cr5.counts import bags, documents
        from cr5.counts.counting import Pieces

        folder = inputs.one("documents")
        language = self.language
        titles = documents.stream(folder, NAMES, language=language)  # which checks the file
        names = pd.DataFrame(titles, columns=NAMES)
        tokens = tokens_of(self.rules, [language], inputs.all("stop_words"))
        vectors = inputs.optional("vectors")
        given_words = bags.given_words(vectors, language)
        with TemporaryDirectory(dir=folder.parent, prefix=f"{language}.counted.") as scratch:
            file = folder / documents.FILE
            pieces = Pieces(file, language, tokens, Path(scratch), threads)
            output = outputs.first()
            _, summary = bags.build(
                pieces, names, self.rules, language, output, given_words, job=job
            )
        log.info("%s", summary)
        job.say(
            f"{language}: {summary['kept_documents']:,} of {summary['documents']:,} documents, "
            f"{summary['words']:,} words"
        )
