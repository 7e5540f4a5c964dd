"""The plan of a run: each of its results, with the step that makes it and what it reads."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import Any

from cr5.contracts.step import Step
from cr5.plan import shown
from cr5.plan.config import Configuration
from cr5.plan.inputs import Inputs, Named
from cr5.plan.places import Places
from cr5.plan.steps_of_run import Steps
from cr5.plan.words import GivenVectors, MadeAlignments

QUICK = "quick/"  # the folder of a first look
LOOKS = ("", QUICK)


@dataclass(frozen=True)
class Planned:
    """One result: functions to the step that makes it, and to what that reads."""

    step: Callable[[], Step]
    inputs: Callable[[], Named]


def _planned(step: Callable[..., Step], inputs: Callable[..., Named], **wildcards: Any) -> Planned:
    """Plan a result whose step and inputs are those of some wildcards."""
    return Planned(partial(step, **wildcards), partial(inputs, **wildcards))


def _no_inputs() -> Named:
    """Return nothing: the step reads nothing, or files that only rules of a source know."""
    return {}


class Plan:
    """All results of a run.

    Args:
        config: of the run.
        checksum: returns the checksum of a file or folder of the user; None if it is not there.
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
        """Every result of the run by its path, but for fetched files and those of dumps."""
        return {
            **self._results_of_texts(),
            **self._results_of_tasks(),
            **self._results_of_training(),
            **self._results_of_evaluation(),
        }

    def targets(self, look: str) -> list[str]:
        """Return what a run, or a first look at it, is asked to make."""
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
            names = {"language": language}
            documents = _planned(self.steps.documents, inputs.documents, **names)
            if source.own_rules:  # whose inputs are files of dumps
                documents = Planned(documents.step, _no_inputs)
            bags = _planned(self.steps.bags, inputs.bags, **names)
            if not source.has_text:
                bags = _planned(self.steps.bags, inputs.weighted_bags, **names)
            results[places.bags.format(**names)] = bags
            results[places.documents.format(**names)] = documents
            if not source.has_text:  # the job of bags makes them
                results[places.documents.format(**names)] = bags
            results[places.paragraphs.format(**names)] = documents
            concepts = Planned(partial(self.steps.concepts, language), _no_inputs)
            results[places.concepts.format(**names)] = concepts
        return results

    def _results_of_tasks(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        results = {}
        for task in self.config.readers:
            for language in self.config.languages:
                names = {"task": task, "language": language}
                texts = _planned(self.steps.task_data, inputs.task_data, **names)
                results[places.task_data.format(**names)] = texts
            if inputs.pair_files[task]:
                tables = _planned(self.steps.task_tables, inputs.task_tables, task=task)
                dictionaries = Planned(partial(self.steps.dictionaries, task), _no_inputs)
                results[places.task_tables.format(task=task)] = tables
                results[places.dictionaries.format(task=task)] = dictionaries
            for bundle in inputs.bundles.get(task, {}):
                names = {"task": task, "bundle": bundle}
                aligned = _planned(self.steps.aligned, inputs.aligned, **names)
                results[places.aligned.format(**names)] = aligned
        return results

    def _results_of_training(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        results = {}
        for repetition in range(1, self.config.repetitions + 1):
            path = places.draw.format(repetition=repetition)
            results[path] = Planned(partial(self.steps.draw, repetition), inputs.draw)
            for language in self.config.languages:
                names = {"language": language, "repetition": repetition}
                vectors = _planned(self.steps.vectors, self._read_by_vectors, **names)
                results[places.vectors.format(**names)] = vectors
            for setting in self.config.trained:
                names = {"setting": setting, "repetition": repetition}
                trained = _planned(self.steps.setting, inputs.setting, **names)
                results[places.setting.format(**names)] = trained
                results.update(self._results_of_alignments(setting, repetition))
        for row in self.config.matrix:
            names = {
                "setting": row.setting.name,
                "system": row.system,
                "repetition": row.repetition,
            }
            results[places.model.format(**names)] = _planned(self.steps.fit, inputs.fit, **names)
        return results

    def _read_by_vectors(self, language: str, repetition: int) -> Named:
        if isinstance(self.config.vectors, GivenVectors):
            return self.inputs.given_vectors(language)
        return self.inputs.vectors(language, repetition)

    def _results_of_alignments(self, setting: str, repetition: int) -> dict[str, Planned]:
        results = {}
        if not isinstance(self.config.alignments, MadeAlignments):
            return results
        names = {"setting": setting, "repetition": repetition}
        if "{setting}" not in self.places.alignments:  # of files: once for all settings
            names = {}
        for first, second in combinations(self.config.trained[setting].languages, 2):
            of_pair = {"first": first, "second": second, **names}
            tables = _planned(self.steps.align, self.inputs.align, **of_pair)
            results[self.places.alignments.format(**of_pair)] = tables
        return results

    def _results_of_evaluation(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        results = {places.seen: Planned(self.steps.seen, inputs.seen)}
        for row in self.config.matrix:
            names = {
                "setting": row.setting.name,
                "system": row.system,
                "repetition": row.repetition,
                "task": row.task,
            }
            results[places.ranks.format(**names)] = _planned(self.steps.rank, inputs.rank, **names)
        for look in LOOKS:
            rows = self.steps.rows(look)
            scores = Planned(partial(self.steps.scores, look), partial(inputs.scores, rows))
            report = _planned(self.steps.report, self.read_by_report, look=look)
            results[places.scores.format(look=look)] = scores
            results[places.report.format(look=look)] = report
        results[places.runs] = Planned(self.steps.runs, self.read_by_runs)
        if self.steps.explored:
            results[places.explore] = Planned(
                self.steps.explore, partial(inputs.explore, self.steps.explored)
            )
        return results

    def read_by_report(self, look: str) -> Named:
        """Return the inputs of a report."""
        return self.inputs.report(look, self.steps.rows(look), shown.examples(self.config))

    def read_by_runs(self) -> Named:
        """Return the inputs of the files for other programs."""
        return {"ranks": self.inputs.ranks_of(self.config.matrix)}
