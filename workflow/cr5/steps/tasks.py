"""The files of a task, and of channels, are read: texts, dictionaries, pairs of languages."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from cr5.base.artefacts import Artefact, Job
from cr5.counts.tokens import TokenRules
from cr5.splits.options import Pair
from cr5.steps.contract import Inputs, Paths, Step, TaskChoice

KIND = "dictionaries"


class TaskDataInputs(Inputs):
    """The bags of the language; the task's own files, by its keys; stop words."""

    bags: Path
    stop_words: Paths = ()
    files: dict[str, Path | Paths]


class TaskDataStep(Step):
    """The texts of a task's own files in one language, as counts of the vocabulary's words."""

    name: str  # of the task in the configuration
    task: TaskChoice
    language: str
    tokens: TokenRules

    def run(self, inputs: TaskDataInputs, output: Path, job: Job) -> None:
        """Count the texts with the words of the bags."""
        from cr5.counts import bags
        from cr5.counts.rules import tokens_of
        from cr5.tasks import texts

        words = bags.read_words(inputs.bags, self.language)
        tokens = tokens_of(self.tokens, [self.language])
        records = self.task.part.records(inputs.files, self.language)
        counted = texts.count(records, self.language, words, tokens)
        texts.save(output, counted, job=job, task=self.name, language=self.language)


class PairFiles(BaseModel):
    """Where files of language pairs are, such as dictionaries."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    where: str  # a path with the pair's languages, a folder, a URL or `freedict`
    is_elsewhere: bool  # they are fetched first
    pairs: tuple[Pair, ...]  # directed, of all settings


class DictionariesStep(Step):
    """Dictionaries that are not on this machine yet: one for each directed pair that has one."""

    files: PairFiles

    def run(self, inputs: Inputs, output: Path, job: Job) -> None:
        """Fetch into a folder."""
        from cr5.texts import dictionaries

        with job.making(output, KIND) as folder:
            dictionaries.fetch(self.files.where, list(self.files.pairs), folder)


class TaskTablesInputs(Inputs):
    """The bags of all languages; the user's files, or the folder that was fetched; stop words."""

    bags: Paths
    files: Paths
    stop_words: Paths = ()


class TaskTablesStep(Step):
    """Tables of a task's own files of language pairs, with the vocabularies of the corpus."""

    name: str  # of the task in the configuration
    task: TaskChoice
    files: PairFiles
    languages: tuple[str, ...]  # in alphabetical order, as the bags
    tokens: TokenRules

    def run(self, inputs: TaskTablesInputs, output: Path, job: Job) -> None:
        """Read the files of the pairs that have one."""
        from cr5.counts import bags
        from cr5.counts.rules import tokens_of
        from cr5.tasks import texts
        from cr5.texts import dictionaries

        words = {
            language: bags.read_words(folder, language)
            for language, folder in zip(self.languages, inputs.bags, strict=True)
        }
        where = self.files.where
        if self.files.is_elsewhere:
            folder = Artefact(inputs.files[0], KIND).whole()
            where = dictionaries.fetched(where, str(folder))
        files = dictionaries.find(where, self.files.pairs)
        tokens = tokens_of(self.tokens, self.languages)
        tables = self.task.part.tables(files, words, tokens)
        texts.save(output, tables, job=job, task=self.name)
