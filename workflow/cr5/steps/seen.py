"""Test and validation texts among documents and text of other files that trains."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from cr5.base.artefacts import Job
from cr5.base.errors import LeftOutError
from cr5.contracts.step import Paths, Step
from cr5.steps.draw import DrawStep, read_folded
from cr5.steps.parts import NamedTask

if TYPE_CHECKING:
    import pandas as pd

    from cr5.splits.draw import Draw

log = logging.getLogger(__name__)


class TaskTexts(BaseModel):
    """The texts of a task's files, or of a channel, in one language."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: NamedTask
    language: str
    keys: tuple[str, ...]
    """Which key of the task names each of the files, in their order."""

    def records(self, paths: Sequence[Path]) -> dict[str, Any]:
        """Read the texts of its files, which are in the order of `keys`, by name."""
        files: dict[str, list[Path]] = {}
        for key, path in zip(self.keys, paths, strict=True):
            files.setdefault(key, []).append(path)
        return self.task.records(files, self.language)

    def folded_texts_of_tests(self, paths: Sequence[Path], held_out: Collection[str]) -> set[bytes]:
        """Return the texts that are asked for or searched, in tests or to validate, folded."""
        from cr5.splits import copies
        from cr5.splits.seen import texts_of_tests

        texts = texts_of_tests(self.task.part, self.records(paths), held_out)
        return {copies.folded(text) for text in texts}

    def warnings(self, paths: Sequence[Path], tests: Mapping[str, set[bytes]]) -> list[str]:
        """Return a warning if the texts, which train, are among those of tests."""
        from cr5.splits.seen import describe_test_texts

        records = chain.from_iterable(self.records(paths).values())
        texts = (text for _, text in records)
        found = describe_test_texts(texts, tests.get(self.language, set()))
        if not found:
            return []
        return [
            f"channels: {found} in {self.language} are searched or asked for in tests, or "
            "validate: systems that learn from them have seen what they are tested on"
        ]


class SeenStep(Step):
    """Look for test and validation texts among what trains.

    Documents and channels that have some are warned of; parallel sentences must have none.
    """

    languages: tuple[str, ...]
    draws: tuple[DrawStep, ...]
    """One of each repetition."""
    tests: tuple[TaskTexts, ...]
    channels: tuple[TaskTexts, ...]
    """Text of one language alone that trains."""

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `seen` from `bags`, `documents`, `draws`, `tests`, `sentences` and `channels`."""
        from cr5.counts import bags
        from cr5.splits import copies, seen_warnings
        from cr5.splits.draw import Draw
        from cr5.splits.seen import check_sentences
        from cr5.texts import aligned

        tables = {}
        for language, folder in inputs.by(self.languages, "bags").items():
            tables[language] = bags.read_documents(folder, language, ["concept", "n_tokens"])
        draws = [Draw.load(folder) for folder in inputs.all("draws")]
        trained = self._trained(tables, draws)
        texts_of_languages = read_folded(tables, inputs.all("documents"))
        copies_of_draws, queries = copies.find(texts_of_languages, draws, trained)
        warnings = copies.tell(draws, copies_of_draws, queries)

        test_texts = {language: set(table["text"]) for language, table in queries.items()}
        held_out: set[str] = set()
        for drawn in draws:
            held_out.update(drawn.held_out())
        for task_texts, paths in _with_paths(self.tests, inputs.all("tests")):
            texts_of_language = test_texts.setdefault(task_texts.language, set())
            texts_of_language |= task_texts.folded_texts_of_tests(paths, held_out)

        for folder in inputs.all("sentences"):
            check_sentences(aligned.table(folder), test_texts)
        for channel, paths in _with_paths(self.channels, inputs.all("channels")):
            warnings += channel.warnings(paths, test_texts)
        for warning in warnings:
            log.warning("%s", warning)
        seen_warnings.save(outputs.first(), warnings, job)

    def _trained(
        self, tables: Mapping[str, pd.DataFrame], draws: Sequence[Draw]
    ) -> list[pd.DataFrame]:
        """Return for each draw what trains if all languages do: at least that of any setting."""
        import pandas as pd

        from cr5.splits.training_documents import NO_TRAINING, training

        concepts = {language: pd.Index(table["concept"]) for language, table in tables.items()}
        trained = []
        for drawn, step in zip(draws, self.draws, strict=True):
            try:
                trained.append(training(concepts, drawn, step.splits, step.pairs))
            except LeftOutError:
                trained.append(NO_TRAINING)
        return trained


def _with_paths(
    texts: Sequence[TaskTexts], paths: Sequence[Path]
) -> Iterator[tuple[TaskTexts, list[Path]]]:
    """Yield texts of tasks, each with its files: these are one list, in the order of the texts."""
    remaining = iter(paths)
    for task_texts in texts:
        yield task_texts, list(islice(remaining, len(task_texts.keys)))
