"""Read a task's own files of language pairs with the vocabularies of the corpus."""

from cr5.base.artefacts import Artefact, Job
from cr5.contracts.step import Paths, Step
from cr5.counts.rules import TokenRules, tokens_of
from cr5.splits.options import Pair
from cr5.steps.dictionaries import FETCHED
from cr5.steps.parts import NamedTask
from cr5.texts import dictionaries


class TaskTablesStep(Step):
    """Read a task's own files of language pairs with the vocabularies of the corpus."""

    task: NamedTask
    languages: tuple[str, ...]
    tokens: TokenRules
    where: str
    """A path with the pair's languages, a folder, an address or `freedict`."""
    is_fetched: bool
    """Whether `DictionariesStep` fetched them."""
    pairs: tuple[Pair, ...]
    """Directed, that are searched or train."""
    found: tuple[Pair, ...]
    """Those that have a file of their own on this machine, in the order of the files."""

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `tables` from `files`, the `bags` of all languages, and `stop_words`, if any."""
        from cr5.counts import bags
        from cr5.tasks import texts

        words = {}
        for language, folder in inputs.by(self.languages, "bags").items():
            words[language] = bags.read_words(folder, language)
        tokens = tokens_of(self.tokens, self.languages, inputs.all("stop_words"))
        tables = self.task.part.tables(self._files(inputs), words, tokens)
        texts.save(outputs.first(), tables, job, task=self.task.entry)

    def _files(self, inputs: Paths) -> dict:
        """Return the file of each pair that has one."""
        if self.is_fetched:
            folder = Artefact(inputs.one("files"), FETCHED).whole()
            where = dictionaries.place_of_fetched(self.where, str(folder))
            return dictionaries.find(where, self.pairs)
        if dictionaries.has_file_per_pair(self.where):
            return inputs.by(self.found, "files")
        return dictionaries.find(self.where, self.pairs)
