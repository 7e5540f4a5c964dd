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
from cr5.plan.words import GivenVectors, MadeAlignments

QUICK = "quick/"  # the folder of a first look
LOOKS = ("", QUICK)


@dataclass(frozen=True)
class Planned:
    """One result: functions that return the step that makes it, and what this step reads."""

    step: Callable[[], Step]
    inputs: Callable[[], NamedPaths]


def _planned_for(
    step: Callable[..., Step], inputs: Callable[..., NamedPaths], **wildcards: Any
) -> Planned:
    """Plan the result of some wildcards, with which `step` and `inputs` are called."""
    return Planned(partial(step, **wildcards), partial(inputs, **wildcards))


def _no_inputs() -> NamedPaths:
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
        return {
            **self._results_of_texts(),
            **self._results_of_tasks(),
            **self._results_of_training(),
            **self._results_of_evaluation(),
        }

    def targets(self, look: str) -> list[str]:
        """Return the paths that a run, or a first look at it, is asked to make."""
        rows = self.steps.rows(look)
        paths = [self.places.report.format(look=look)]
        if self.steps.explored and not look:
            paths.append(self.places.explore)
        if self.config.evaluation.run_depth and not look:
            paths.append(self.places.runs)
        return paths + self.inputs.all_of(rows)

    def _results_of_texts(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        source = self.config.corpus.part
        results = {places.source: Planned(self.steps.source, _no_inputs)}
        for language in self.config.languages:
            wildcards = {"language": language}
            documents = _planned_for(self.steps.documents, inputs.documents, **wildcards)
            if source.own_rules:  # whose inputs are files of dumps
                documents = Planned(documents.step, _no_inputs)
            bags = _planned_for(self.steps.bags, inputs.bags, **wildcards)
            if not source.has_text:
                bags = _planned_for(self.steps.bags, inputs.weighted_bags, **wildcards)
            results[places.bags.format(**wildcards)] = bags
            results[places.documents.format(**wildcards)] = documents
            if not source.has_text:  # the job of bags makes them
                results[places.documents.format(**wildcards)] = bags
            results[places.paragraphs.format(**wildcards)] = documents
            concepts = Planned(partial(self.steps.concepts, language), _no_inputs)
            results[places.concepts.format(**wildcards)] = concepts
        return results

    def _results_of_tasks(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        results = {}
        for task in self.config.all_tasks:
            for language in self.config.languages:
                wildcards = {"task": task, "language": language}
                texts = _planned_for(self.steps.task_data, inputs.task_data, **wildcards)
                results[places.task_data.format(**wildcards)] = texts
            if inputs.pair_files[task]:
                tables = _planned_for(self.steps.task_tables, inputs.task_tables, task=task)
                dictionaries = Planned(partial(self.steps.dictionaries, task), _no_inputs)
                results[places.task_tables.format(task=task)] = tables
                results[places.dictionaries.format(task=task)] = dictionaries
            for bundle in inputs.bundles.get(task, {}):
                wildcards = {"task": task, "bundle": bundle}
                aligned = _planned_for(self.steps.aligned, inputs.aligned, **wildcards)
                results[places.aligned.format(**wildcards)] = aligned
        return results

    def _results_of_training(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        results = {}
        for repetition in range(1, self.config.repetitions + 1):
            path = places.draw.format(repetition=repetition)
            results[path] = Planned(partial(self.steps.draw, repetition), inputs.draw)
            for language in self.config.languages:
                wildcards = {"language": language, "repetition": repetition}
                vectors = _planned_for(self.steps.vectors, self._inputs_of_vectors, **wildcards)
                results[places.vectors.format(**wildcards)] = vectors
            for setting in self.config.setting_by_name:
                wildcards = {"setting": setting, "repetition": repetition}
                trained = _planned_for(self.steps.setting, inputs.setting, **wildcards)
                results[places.setting.format(**wildcards)] = trained
                results.update(self._results_of_alignments(setting, repetition))
        for row in self.config.matrix:
            wildcards = {
                "setting": row.setting.name,
                "system": row.system,
                "repetition": row.repetition,
            }
            model = _planned_for(self.steps.fit, inputs.fit, **wildcards)
            results[places.model.format(**wildcards)] = model
        return results

    def _inputs_of_vectors(self, language: str, repetition: int) -> NamedPaths:
        if isinstance(self.config.vectors, GivenVectors):
            return self.inputs.given_vectors(language)
        return self.inputs.vectors(language, repetition)

    def _results_of_alignments(self, setting: str, repetition: int) -> dict[str, Planned]:
        results = {}
        if not isinstance(self.config.alignments, MadeAlignments):
            return results
        wildcards = {"setting": setting, "repetition": repetition}
        if "{setting}" not in self.places.alignments:  # of files: once for all settings
            wildcards = {}
        for first, second in combinations(self.config.setting_by_name[setting].languages, 2):
            of_pair = {"first": first, "second": second, **wildcards}
            tables = _planned_for(self.steps.align, self.inputs.align, **of_pair)
            results[self.places.alignments.format(**of_pair)] = tables
        return results

    def _results_of_evaluation(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        results = {places.seen: Planned(self.steps.seen, inputs.seen)}
        for row in self.config.matrix:
            wildcards = {
                "setting": row.setting.name,
                "system": row.system,
                "repetition": row.repetition,
                "task": row.task,
            }
            ranks = _planned_for(self.steps.rank, inputs.rank, **wildcards)
            results[places.ranks.format(**wildcards)] = ranks
        for look in LOOKS:
            rows = self.steps.rows(look)
            scores = Planned(partial(self.steps.scores, look), partial(inputs.scores, rows))
            report = _planned_for(self.steps.report, self.inputs_of_report, look=look)
            results[places.scores.format(look=look)] = scores
            results[places.report.format(look=look)] = report
        results[places.runs] = Planned(self.steps.runs, self.inputs_of_runs)
        if self.steps.explored:
            inputs_of_explore = partial(inputs.explore, self.steps.explored)
            results[places.explore] = Planned(self.steps.explore, inputs_of_explore)
        return results

    def inputs_of_report(self, look: str) -> NamedPaths:
        """Return the inputs of a report."""
        return self.inputs.report(look, self.steps.rows(look), shown.examples(self.config))

    def inputs_of_runs(self) -> NamedPaths:
        """Return the inputs of the run files and qrels, which other programs read."""
        return {"ranks": self.inputs.ranks_of(self.config.matrix)}
