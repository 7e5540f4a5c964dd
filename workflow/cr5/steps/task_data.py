"""Count the texts of a task's own files with the vocabulary of one language."""

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step
from cr5.counts.rules import TokenRules, tokens_of
from cr5.steps.parts import NamedTask


class TaskDataStep(Step):
    """Count the texts of a task's own files with the vocabulary of one language."""

    task: NamedTask
    language: str
    tokens: TokenRules
    keys: tuple[str, ...]
    """The keys of the task that name its files; each is also the name of an input."""

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `data` from `bags`, the file of `stop_words`, if any, and the task's own files."""
        from cr5.counts import bags
        from cr5.tasks import texts

        language = self.language
        words = bags.read_words(inputs.one("bags"), language)
        files = {key: inputs.all(key) for key in self.keys}
        tokens = tokens_of(self.tokens, [language], inputs.all("stop_words"))
        counted = texts.count(self.task.records(files, language), language, words, tokens)
        names = {"task": self.task.entry, "language": language}
        texts.save(outputs.first(), counted, job, **names)
