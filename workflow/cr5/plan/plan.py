"""The plan of a run: each of its results, with the step that makes it and what it reads."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import Any

from cr5.contracts.step import Step
from cr5.plan import shown
from cr5.plan.config import Configuration
from cr5.plan.inputs import Inputs, NamedPaths
from cr5.plan.places import Places
from cr5.plan.steps_of_run import Steps
from cr5.plan.words import MadeAlignments
from cr5.steps.explore import ExploreStep
from cr5.steps.runs import RunsStep
from cr5.steps.wikipedia_concepts import ConceptsStep

QUICK = "quick/"  # the folder of a first look
LOOKS = ("", QUICK)


@dataclass(frozen=True)
class Planned:
    """One result: functions that return the step that makes it, and what this step reads."""

    step: Callable[[], Step]
    inputs: Callable[[], NamedPaths]


def _no_inputs(**wildcards: Any) -> NamedPaths:
    """Return no inputs: of a step that reads nothing, or files that only a source's rules know."""
    return {}


class Plan:
    """All results of a run.

    Args:
        config: the configuration of the run.
        checksum: returns the checksum of a file or folder of the user; None if it does not exist.
    """

    def __init__(
        self,
        config: Configuration,
        checksum: Callable[[str], str | None],
    ):
        self.config = config
        self.checksum = checksum
        self.places = Places(config)
        self.inputs = Inputs(config, self.places)
        self.steps = Steps(config, self.inputs, checksum)

    @cached_property
    def results(self) -> dict[str, Planned]:
        """Every result of the run, by its path, except fetched files and those of dumps."""
        results: dict[str, Planned] = {}

        def add(
            place: str,
            step: Callable[..., Step],
            inputs: Callable[..., NamedPaths] = _no_inputs,
            **wildcards: Any,
        ) -> None:
            planned = Planned(partial(step, **wildcards), partial(inputs, **wildcards))
            results[place.format(**wildcards)] = planned

        self._add_texts(add)
        self._add_files_of_tasks(add)
        self._add_training(add)
        self._add_evaluation(add)
        return results

    def targets(self, look: str) -> list[str]:
        """Return the paths that a run, or a first look at it, is asked to make."""
        rows = self.steps.rows(look)
        paths = [self.places.report.format(look=look)]
        if self.steps.explored and not look:
            paths.append(self.places.explore)
        if self.config.evaluation.run_depth and not look:
            paths.append(self.places.runs)
        return paths + self.inputs.all_of(rows)

    def _add_texts(self, add: Callable[..., None]) -> None:
        places = self.places
        steps = self.steps
        source = self.config.corpus.part
        inputs_of_documents = self.inputs.documents
        if source.own_rules:  # whose inputs are files of dumps
            inputs_of_documents = _no_inputs
        add(places.source, steps.source)
        for language in self.config.languages:
            add(places.bags, steps.bags, self.inputs.bags, language=language)
            if source.has_text:
                add(places.documents, steps.documents, inputs_of_documents, language=language)
            else:  # the job of bags makes them
                add(places.documents, steps.bags, self.inputs.bags, language=language)
            add(places.paragraphs, steps.documents, inputs_of_documents, language=language)
            add(places.concepts, ConceptsStep, language=language)

    def _add_files_of_tasks(self, add: Callable[..., None]) -> None:
        places = self.places
        steps = self.steps
        inputs = self.inputs
        for task in self.config.all_tasks:
            for language in self.config.languages:
                names = {"task": task, "language": language}
                add(places.task_data, steps.task_data, inputs.task_data, **names)
            if inputs.pair_files[task]:
                add(places.task_tables, steps.task_tables, inputs.task_tables, task=task)
                add(places.dictionaries, steps.dictionaries, task=task)
            for bundle in inputs.bundles.get(task, {}):
                add(places.aligned, steps.aligned, inputs.aligned, task=task, bundle=bundle)

    def _add_training(self, add: Callable[..., None]) -> None:
        places = self.places
        steps = self.steps
        inputs = self.inputs
        for repetition in range(1, self.config.repetitions + 1):
            add(places.draw, steps.draw, self._inputs_of_draw, repetition=repetition)
            for language in self.config.languages:
                names = {"language": language, "repetition": repetition}
                add(places.vectors, steps.vectors, inputs.vectors, **names)
            for setting in self.config.setting_by_name:
                names = {"setting": setting, "repetition": repetition}
                add(places.setting, steps.setting, inputs.setting, **names)
                if isinstance(self.config.alignments, MadeAlignments):
                    self._add_alignments(add, **names)
        for row in self.config.matrix:
            names = {
                "setting": row.setting.name,
                "system": row.system,
                "repetition": row.repetition,
            }
            add(places.model, steps.fit, inputs.fit, **names)

    def _inputs_of_draw(self, repetition: int) -> NamedPaths:
        return self.inputs.draw()

    def _add_alignments(self, add: Callable[..., None], setting: str, repetition: int) -> None:
        place = self.places.alignments
        names = {"setting": setting, "repetition": repetition}
        if "{setting}" not in place:  # of files: once for all settings
            names = {}
        for first, second in combinations(self.config.setting_by_name[setting].languages, 2):
            add(place, self.steps.align, self.inputs.align, first=first, second=second, **names)

    def _add_evaluation(self, add: Callable[..., None]) -> None:
        places = self.places
        steps = self.steps
        inputs = self.inputs
        add(places.seen, steps.seen, inputs.seen)
        for row in self.config.matrix:
            names = {
                "setting": row.setting.name,
                "system": row.system,
                "repetition": row.repetition,
                "task": row.task,
            }
            add(places.ranks, steps.rank, inputs.rank, **names)
        for look in LOOKS:
            add(places.scores, steps.scores, self._inputs_of_scores, look=look)
            add(places.report, steps.report, self._inputs_of_report, look=look)
        add(places.runs, RunsStep, self._inputs_of_runs)
        if steps.explored:
            add(places.explore, ExploreStep, inputs.explore, setting=steps.explored)

    def _inputs_of_scores(self, look: str) -> NamedPaths:
        return self.inputs.scores(self.steps.rows(look))

    def _inputs_of_report(self, look: str) -> NamedPaths:
        return self.inputs.report(look, self.steps.rows(look), shown.examples(self.config))

    def _inputs_of_runs(self) -> NamedPaths:
        return {"ranks": self.inputs.ranks_of(self.config.matrix)}
