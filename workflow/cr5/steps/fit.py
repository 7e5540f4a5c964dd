"""One system is fitted in one setting and repetition."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cr5.base.artefacts import Artefact, Job
from cr5.base.errors import LeftOutError
from cr5.fitting.options import TrainingOptions
from cr5.fitting.seeds import DICTIONARY, Seeds, seeds_of
from cr5.steps.contract import Inputs, Paths, Step, SystemChoice, TaskChoice
from cr5.steps.setting import Situation

if TYPE_CHECKING:
    from cr5.fitting.choose import Task
    from cr5.fitting.contract import TrainingSet
    from cr5.splits.options import Pair


class FitInputs(Inputs):
    """What every fit reads, and what only some systems need; by language where there are several.

    `alignments` are tables of directed pairs, `files` those that the system's keys name, `data`
    and `tables` of the task that validates.
    """

    bags: Paths
    draw: Path
    trained: Path
    vectors: Paths = ()
    texts: Paths = ()
    seeds: Paths = ()
    alignments: Paths = ()
    channels: Paths = ()
    judgements: Paths = ()
    files: Paths = ()
    data: Paths = ()
    tables: Paths = ()
    stop_words: Paths = ()


class FitStep(Step):
    """A fitted system."""

    setting: str
    system: str  # its name in the configuration
    repetition: int
    situation: Situation
    choice: SystemChoice
    corpus: dict[str, str]  # its name and source, which the model remembers
    options: TrainingOptions
    rerank: tuple[float, ...]  # weights of a second stage to choose from
    files: tuple[tuple[str, str], ...]  # language and key of each of the system's own files
    alignments_are_made: bool
    seeds: tuple[str, ...]  # tasks whose word pairs it starts from, or which tests ask for
    validation_task: tuple[str, TaskChoice] | None  # its name; None: documents that are drawn
    processor: Literal["common", "own"]

    def run(self, inputs: FitInputs, output: Path, job: Job) -> None:
        """Fit; or say why the data do not allow a model."""
        from cr5.fitting.fit import fit
        from cr5.models import store

        about = self.about()
        keeps_documents = self.options.csls_neighbours > 0
        try:
            training = self.training_set(inputs, job.threads)
            fitted = fit(self.choice.part, training, self.rerank, keeps_documents)
        except LeftOutError as error:
            store.leave_out(output, str(error), about, job=job)
            job.log.warning("left out: %s", error)
            return
        store.save(output, fitted.model, about | {"fit": fitted.report}, job=job)
        for warning in fitted.report.get("warnings", []):
            job.log.warning("%s", warning)

    def about(self) -> dict[str, Any]:
        """Return what the model remembers of how it was made."""
        from cr5.base.machine import kernels, versions
        from cr5.counts.rules import tokens_of

        languages = list(self.situation.languages)
        return {
            "setting": self.setting,
            "system": self.system,
            "repetition": str(self.repetition),
            "corpus": self.corpus,
            "languages": languages,
            "options": self.as_json()["choice"]["part"],
            "seed": self.options.seed,
            "csls_neighbours": self.options.csls_neighbours,
            "tokens": tokens_of(self.options.bags, languages).as_json(),
            "versions": versions(),
            "processor": {"choice": self.processor, "kernels": kernels()},
        }

    def training_set(self, inputs: FitInputs, threads: int) -> TrainingSet:
        """Gather what the system may see; LeftOutError: nothing trains in the setting."""
        from cr5.counts import bags
        from cr5.fitting.gathering import Extras, training_set
        from cr5.splits import training_documents
        from cr5.splits.draw import Draw

        subject = {"setting": self.setting, "repetition": str(self.repetition)}
        if reason := Artefact(inputs.trained, training_documents.KIND, **subject).left_out:
            raise LeftOutError(reason)
        languages = self.situation.languages
        texts = inputs.texts or [None] * len(languages)
        folders = zip(languages, inputs.bags, texts, strict=True)
        extras = Extras(
            vectors=dict(zip(languages, inputs.vectors, strict=False)),
            alignments=self._alignments(inputs),
            channels={folder.name: folder for folder in inputs.channels},
            judgements=next(iter(inputs.judgements), None),
            files=self._files(inputs),
            seeds=self._seeds(inputs),
            task=self._validation_task(inputs),
        )
        return training_set(
            self.options,
            ((language, bags.load(folder, language, text)) for language, folder, text in folders),
            Draw.load(inputs.draw),
            training_documents.load(inputs.trained),
            extras,
            self.situation.pairs,
            "counts" in self.choice.part.needs,
            threads,
        )

    def _files(self, inputs: FitInputs) -> dict[str, dict[str, str]]:
        """Return the system's own files, by language and key."""
        files: dict[str, dict[str, str]] = {}
        for (language, key), path in zip(self.files, inputs.files, strict=True):
            files.setdefault(language, {})[key] = str(path)
        return files

    def _alignments(self, inputs: FitInputs) -> dict[Pair, Path]:
        """Return the word translation table of each directed pair, if there are any."""
        from cr5.texts import alignment

        if not inputs.alignments:
            return {}
        pairs = list(permutations(self.situation.languages, 2))
        tables = dict(zip(pairs, inputs.alignments, strict=True))
        if not self.alignments_are_made:
            return tables
        forward, reverse = alignment.FILES
        return {
            (source, target): Artefact(folder, alignment.KIND).file(
                forward if source < target else reverse
            )
            for (source, target), folder in tables.items()
        }

    def _seeds(self, inputs: FitInputs) -> Seeds:
        """Return word pairs to start from, and words in tests, if the system needs them."""
        from cr5.tasks import texts

        entries = {
            name: texts.load(folder, task=name)["entries"]
            for name, folder in zip(self.seeds, inputs.seeds, strict=True)
        }
        dictionary = entries.pop(DICTIONARY, None)
        return seeds_of(dictionary, entries.values())

    def _validation_task(self, inputs: FitInputs) -> Task:
        """Return the task whose searches choose hyperparameters."""
        from cr5.fitting.choose import DOCUMENTS, Task
        from cr5.tasks import texts

        if self.validation_task is None:
            return DOCUMENTS
        _, choice = self.validation_task
        data = {
            language: texts.load(folder, language=language)
            for language, folder in zip(self.situation.languages, inputs.data, strict=False)
        }
        tables = {}
        if inputs.tables:
            training, own = inputs.tables
            entries = texts.load(training, task=DICTIONARY)["entries"]
            tables = texts.load(own) | {DICTIONARY: entries}
        return Task(choice.part, data, tables)
