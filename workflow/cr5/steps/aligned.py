"""Join and clean parallel text: of files, or the corpus's own paragraphs."""

import logging

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step
from cr5.steps.parts import NamedTask
from cr5.texts.parallel import Place

log = logging.getLogger(__name__)


class AlignedStep(Step):
    """Join and clean parallel text: of files, or the corpus's own paragraphs."""

    task: NamedTask
    bundle: str
    members: dict[str, str]
    """By language, the name of its file in an archive; empty for a file of its own."""
    seed: int

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `aligned` from the `sentences` of each language."""
        from cr5.texts import aligned

        options = self.task.part.model_dump(mode="json")
        places = {}
        for language, path in inputs.by(self.members, "sentences").items():
            places[language] = Place(str(path), self.members[language])
        of_corpus = self.task.part.of_corpus
        if of_corpus:
            paragraphs = {language: place.file for language, place in places.items()}
            joined = aligned.of_paragraphs(paragraphs)
            table, counts = aligned.cleaned(joined, options["min_words"], False)
        else:
            table, counts = aligned.of_files(places, options, self.seed)
        record = {
            "task": self.task.entry,
            "name": self.bundle,
            "languages": list(places),
            "pairs": counts,
            "of_corpus": of_corpus,
            "min_words": options["min_words"],
        }
        aligned.save(outputs.first(), table, record, job)
        log.info("%s", record)
