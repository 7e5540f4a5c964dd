"""Aligned sentences are made of parallel files, or of the corpus's own paragraphs."""

from __future__ import annotations

from pathlib import Path

from cr5.base.artefacts import Job
from cr5.steps.contract import Inputs, Paths, Step, TaskChoice


class AlignedInputs(Inputs):
    """A file, an archive or paragraphs of each language, in the order of the members."""

    sentences: Paths


class AlignedStep(Step):
    """Parallel text of a task or of the aligner: joined and cleaned once for all systems."""

    name: str  # of the task, or of the section that the aligner reads
    bundle: str  # of languages whose sentences are aligned with one another
    task: TaskChoice
    members: dict[str, str]  # by language: a file's name in an archive; empty for a file itself
    of_corpus: bool
    seed: int

    def run(self, inputs: AlignedInputs, output: Path, job: Job) -> None:
        """Join sentences, leave out what cannot be a query, and count what becomes of them."""
        from cr5.texts import aligned
        from cr5.texts.parallel import Place

        options = self.task.part.model_dump()
        files = dict(zip(self.members, inputs.sentences, strict=True))
        if self.of_corpus:
            paragraphs = aligned.of_paragraphs(files)
            table, pairs = aligned.cleaned(paragraphs, options["min_words"], False)
        else:
            places = {
                language: Place(str(file), self.members[language])
                for language, file in files.items()
            }
            table, pairs = aligned.of_files(places, options, self.seed)
        about = {
            "task": self.name,
            "name": self.bundle,
            "languages": list(self.members),
            "pairs": pairs,
            "of_corpus": self.of_corpus,
            "min_words": options["min_words"],
        }
        aligned.save(output, table, about, job=job)
        job.log.info("%s", about)
