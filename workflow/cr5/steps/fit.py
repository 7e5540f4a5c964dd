"""Fit one system in one setting and repetition; or say why the data do not allow a model."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cr5.base.artefacts import Artefact, Job
from cr5.base.errors import LeftOutError
from cr5.contracts.step import Paths, Step
from cr5.counts.rules import tokens_of
from cr5.fitting.options import FOUND_NOTHING, TrainingOptions
from cr5.splits.options import Pair
from cr5.steps.parts import NamedSystem, NamedTask
from cr5.steps.situation import Situation

if TYPE_CHECKING:
    from cr5.contracts.seeds import Seeds
    from cr5.contracts.training import Fit, TrainingSet
    from cr5.fitting.choose import Task

log = logging.getLogger(__name__)


class FitStep(Step):
    """Fit a system."""

    setting: str
    repetition: int
    situation: Situation
    system: NamedSystem
    rerank: tuple[float, ...]
    """Weights of a second stage of the search, of which validation chooses one; none: no such."""
    training: TrainingOptions
    validation_task: NamedTask | None
    """By whose searches hyperparameters are chosen; none: by those of drawn documents."""
    seeds: tuple[str, ...]
    """Whose word pairs the system starts from: those for training, and those of tests."""
    alignments_are_made: bool
    """Whether word translation tables are those of `AlignStep`, rather than the user's files."""
    keys_of_files: tuple[tuple[str, str], ...]
    """The language and the key of the system that name each of its own files."""
    corpus_name: str
    corpus_source: str
    """The source of the corpus: a model tells the licence of its texts."""
    processor: str
    """`own` or `common`: of other instructions the last bits differ."""

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `model`.

        Inputs are the `bags` of the setting's languages, `draw`, `setting` and, as the system needs
        them or validates by them, `vectors`, `texts`, `alignments`, `channels`, `judgements`,
        `seeds`, `data`, `tables`, `stop_words` and its own `files`.
        """
        from cr5.fitting.fit import fit
        from cr5.models import store

        record = self._record(inputs)
        output = outputs.first()
        try:
            training = self._training_set(inputs, job, threads)
            keeps_documents = self.training.csls_neighbours > 0
            fitted = fit(self.system.part, training, self.rerank, keeps_documents)
            store.save(output, fitted.model, record | {"fit": fitted.report}, job)
            warnings = list(fitted.report.get("warnings", []))
            if job.is_watched:
                warnings += warnings_of_chance(fitted, training)
            for warning in warnings:
                log.warning("%s", warning)
        except LeftOutError as error:
            store.leave_out(output, str(error), record, job)
            log.warning("left out: %s", error)

    def _record(self, inputs: Paths) -> dict[str, Any]:
        """Return what the model's about.json says of how it was made."""
        from cr5.base.machine import kernels, versions

        tokens = tokens_of(self.training.bags, self.situation.languages, inputs.all("stop_words"))
        options = self.system.part.model_dump(mode="json")
        return {
            "setting": self.setting,
            "system": self.system.entry,
            "repetition": str(self.repetition),
            "corpus": {"name": self.corpus_name, "source": self.corpus_source},
            "languages": list(self.situation.languages),
            "options": {"module": self.system.module, "rerank": list(self.rerank), **options},
            "seed": self.training.seed,
            "csls_neighbours": self.training.csls_neighbours,
            "tokens": tokens.as_json(),
            "versions": versions(),
            "processor": {"choice": self.processor, "kernels": kernels()},
        }

    def _training_set(self, inputs: Paths, job: Job, threads: int) -> TrainingSet:
        """Gather what the system may see."""
        from cr5.fitting.gathering import Extras, training_set
        from cr5.models.encoders.kept import ENCODED
        from cr5.splits import training_documents
        from cr5.splits.draw import Draw

        names = {"setting": self.setting, "repetition": str(self.repetition)}
        artefact = Artefact(inputs.one("setting"), training_documents.KIND, **names)
        if artefact.left_out:
            raise LeftOutError(artefact.left_out)
        languages = self.situation.languages
        extras = Extras(
            vectors=inputs.by(languages, "vectors"),
            alignments=self._alignments(inputs),
            channels={folder.name: folder for folder in inputs.all("channels")},
            judgements=inputs.optional("judgements"),
            files=self._files(inputs),
            seeds=self._seeds(inputs),
            encoded=job.results.parent / ENCODED,
            validation_task=self._validation_task(inputs),
        )
        gathered = training_set(
            self.training,
            self.situation.bags(inputs),
            Draw.load(inputs.one("draw")),
            training_documents.load(inputs.one("setting")),
            extras,
            self.situation.pairs,
            "counts" in self.system.part.needs,
            threads,
        )
        return replace(gathered, tell=job.say)

    def _files(self, inputs: Paths) -> dict[str, dict[str, str]]:
        files: dict[str, dict[str, str]] = {}
        for (language, key), path in zip(self.keys_of_files, inputs.all("files"), strict=True):
            files.setdefault(language, {})[key] = str(path)
        return files

    def _alignments(self, inputs: Paths) -> dict[Pair, Path]:
        from cr5.texts import alignment

        pairs = permutations(self.situation.languages, 2)
        tables = inputs.by(pairs, "alignments")
        if not self.alignments_are_made:
            return tables
        files = {}
        for (source, target), folder in tables.items():
            forward, backward = alignment.FILES  # in alphabetical order of the two, and against it
            name = forward
            if source > target:
                name = backward
            files[source, target] = Artefact(folder, alignment.KIND).file(name)
        return files

    def _validation_task(self, inputs: Paths) -> Task:
        """Return the task whose searches choose hyperparameters."""
        from cr5.fitting.choose import DOCUMENTS, Task
        from cr5.fitting.seeds import DICTIONARY
        from cr5.tasks import texts

        if self.validation_task is None:
            return DOCUMENTS
        texts_of = {}
        for language, folder in inputs.by(self.situation.languages, "data").items():
            texts_of[language] = texts.load(folder, language=language)
        tables: dict[str, Any] = {}
        if inputs.all("tables"):
            dictionary, of_task = inputs.all("tables")
            entries = texts.load(dictionary, task=DICTIONARY)["entries"]
            tables = texts.load(of_task) | {DICTIONARY: entries}
        return Task(self.validation_task.part, texts_of, tables)

    def _seeds(self, inputs: Paths) -> Seeds:
        """Return word pairs to start from, and words in tests, if the system needs them."""
        from cr5.contracts.seeds import Seeds
        from cr5.fitting.seeds import DICTIONARY, seeds_of
        from cr5.tasks import texts

        entries = {}
        for task, folder in inputs.by(self.seeds, "seeds").items():
            entries[task] = texts.load(folder, task=task)["entries"]
        if not entries:
            return Seeds()
        training = entries.pop(DICTIONARY, None)
        return seeds_of(training, entries.values())


def warnings_of_chance(fitted: Fit, training: TrainingSet) -> list[str]:
    """Return a warning if the model finds no more than chance, where validation has not looked.

    It costs a search, for somebody who sees no ranks.
    """
    from cr5.fitting.choose import at_chance

    report: Mapping[str, Any] = fitted.report
    is_told = any(FOUND_NOTHING in warning for warning in report.get("warnings", []))
    if is_told or "validation" in report:
        return []
    model = fitted.model.keeping_rows(training.encoded or "")
    try:
        return at_chance(training.validate(model), training.criterion)
    except LeftOutError:  # there are no validation queries
        return []
