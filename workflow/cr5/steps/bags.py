"""Make bags of words from the documents of one language."""

import logging
from pathlib import Path
from tempfile import TemporaryDirectory

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step
from cr5.counts.rules import Rules, tokens_of

log = logging.getLogger(__name__)
NAMES = ["concept", "title"]


def rules_of_bags(rules: Rules) -> Rules:
    """Return the rules by which bags are made: with the default `max_words` where it changes none.

    Where each model has words of its own, bags have all that it may choose from; given vectors have
    their words whatever their number.
    """
    drops_words = rules.vocabulary == "text"
    drops_documents = rules.training_chooses and rules.unique_words_in == "vocabulary"
    if drops_words or drops_documents:
        return rules
    return rules.model_copy(update={"max_words": Rules().max_words})


class BagsStep(Step):
    """Count the words of one language's documents."""

    language: str
    rules: Rules
    """Those of `rules_of_bags`."""

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
