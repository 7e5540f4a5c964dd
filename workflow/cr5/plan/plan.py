"""The plan of a run: each of its results, with the step that makes it and what it reads."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations

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
    """One result."""

    step: Callable[[], Step]
    inputs: Callable[[], Named]


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
        return [*paths, *self.inputs.all_of(rows)]

    def _results_of_texts(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        source = self.config.corpus.part
        is_of_dumps = bool(source.own_rules)
        results = {places.source: Planned(self.steps.source, dict)}
        for language in self.config.languages:
            documents = Planned(
                partial(self.steps.documents, language),
                dict if is_of_dumps else partial(inputs.documents, language),
            )
            read_by_bags = inputs.bags if source.has_text else inputs.weighted_bags
            bags = Planned(partial(self.steps.bags, language), partial(read_by_bags, language))
            names = {"language": language}
            results[places.bags.format(**names)] = bags
            results[places.documents.format(**names)] = documents if source.has_text else bags
            results[places.paragraphs.format(**names)] = documents
            results[places.concepts.format(**names)] = Planned(
                partial(self.steps.concepts, language), dict
            )
        return results

    def _results_of_tasks(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        results = {}
        for task in self.config.readers:
            for language in self.config.languages:
                path = places.task_data.format(task=task, language=language)
                results[path] = Planned(
                    partial(self.steps.task_data, task, language),
                    partial(inputs.task_data, task, language),
                )
            if inputs.pair_files[task]:
                results[places.task_tables.format(task=task)] = Planned(
                    partial(self.steps.task_tables, task), partial(inputs.task_tables, task)
                )
                results[places.dictionaries.format(task=task)] = Planned(
                    partial(self.steps.dictionaries, task), dict
                )
            for bundle in inputs.bundles.get(task, {}):
                path = places.aligned.format(task=task, bundle=bundle)
                results[path] = Planned(
                    partial(self.steps.aligned, task, bundle), partial(inputs.aligned, task, bundle)
                )
        return results

    def _results_of_training(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        results = {}
        for repetition in range(1, self.config.repetitions + 1):
            path = places.draw.format(repetition=repetition)
            results[path] = Planned(partial(self.steps.draw, repetition), inputs.draw)
            for language in self.config.languages:
                path = places.vectors.format(language=language, repetition=repetition)
                results[path] = Planned(
                    partial(self.steps.vectors, language, repetition),
                    partial(self._read_by_vectors, language, repetition),
                )
            for setting in self.config.trained:
                path = places.setting.format(setting=setting, repetition=repetition)
                results[path] = Planned(
                    partial(self.steps.setting, setting, repetition),
                    partial(inputs.setting, setting, repetition),
                )
                results.update(self._results_of_alignments(setting, repetition))
        for row in self.config.matrix:
            fit = (row.setting.name, row.system, row.repetition)
            results[places.model.format(**row.keys)] = Planned(
                partial(self.steps.fit, *fit), partial(inputs.fit, *fit)
            )
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
            path = self.places.alignments.format(first=first, second=second, **names)
            results[path] = Planned(
                partial(self.steps.align, first, second, **names),
                partial(self.inputs.align, first, second, **names),
            )
        return results

    def _results_of_evaluation(self) -> dict[str, Planned]:
        places = self.places
        inputs = self.inputs
        results = {places.seen: Planned(self.steps.seen, inputs.seen)}
        for row in self.config.matrix:
            fit = (row.setting.name, row.system, row.repetition, row.task)
            results[places.ranks.format(**row.keys)] = Planned(
                partial(self.steps.rank, *fit), partial(inputs.rank, *fit)
            )
        for look in LOOKS:
            rows = self.steps.rows(look)
            results[places.scores.format(look=look)] = Planned(
                partial(self.steps.scores, look), partial(inputs.scores, rows)
            )
            results[places.report.format(look=look)] = Planned(
                partial(self.steps.report, look), partial(self.read_by_report, look)
            )
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
