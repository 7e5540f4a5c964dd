"""Make bags from one language's documents that are already weights of numbered words."""

import logging
from itertools import chain

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step
from cr5.counts.rules import Rules
from cr5.steps.parts import NamedSource

log = logging.getLogger(__name__)
NAMES = ["concept", "title"]


class WeightedBagsStep(Step):
    """Make bags from one language's documents that are already weights of numbered words."""

    language: str
    rules: Rules
    """Those of `rules_of_bags`."""
    corpus: NamedSource

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `bags`, and `documents` with names alone, from the `files` of the source."""
        from cr5.counts import bags, documents
        from cr5.texts.sources import matrix

        language = self.language
        source = self.corpus.part
        files = zip(source.files(language), inputs.all("files"), strict=True)
        weighted = chain.from_iterable(matrix.documents(prefix, path) for prefix, path in files)
        prefix = source.prefix_of(language)
        built, summary = bags.weighted(weighted, self.rules, language, prefix, outputs.first(), job)
        log.info("%s", summary)
        names = built.documents[NAMES].itertuples(index=False, name=None)
        without_text = ((concept, title, "") for concept, title in names)
        documents.write(outputs.one("documents"), without_text, language, job=job)
