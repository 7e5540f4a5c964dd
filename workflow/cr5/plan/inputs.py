"""What each step reads: the paths of its inputs, by the names that its rule and the step use."""

from collections.abc import Iterable, Sequence
from itertools import chain, permutations, product
from typing import Any

from cr5.base.languages import names_of, path_of
from cr5.fitting.options import DOCUMENTS as DOCUMENTS_TASK
from cr5.fitting.seeds import DICTIONARY
from cr5.plan import files
from cr5.plan.config import Configuration, Entry
from cr5.plan.matrix import Row
from cr5.plan.places import Places
from cr5.plan.words import ALIGNMENTS_SECTION, CHANNELS, GivenVectors, MadeAlignments
from cr5.splits.options import TOGETHER

NamedPaths = dict[str, list[str]]


class Inputs:
    """The inputs of each step, by its wildcards.

    UserError: dictionaries or parallel files are not where they should be, or addresses are wrong.
    """

    def __init__(self, config: Configuration, places: Places):
        self._config = config
        self._places = places
        self.languages = sorted(config.languages)
        self.pair_files = {name: files.pair_files(config, name) for name in config.all_tasks}
        self.bundles = files.bundles(config)
        files.addresses_to_fetch(config)  # which checks addresses
        self.sentences_to_train = self.aligned_of(ALIGNMENTS_SECTION)

    def users_files(self, named_inputs: NamedPaths) -> list[str]:
        """Return those inputs that are files or folders of the user."""
        paths = []
        for named in named_inputs.values():
            paths += [path for path in named if not self._places.is_result(path)]
        return paths

    # texts

    def documents(self, language: str) -> NamedPaths:
        """Texts of a language, the user's or fetched ones."""
        texts = files.texts_of_corpus(self._config, language) or [self._places.source]
        return {"texts": texts, "others": files.further_files_of_source(self._config, language)}

    def bags(self, language: str) -> NamedPaths:
        """Documents; given vectors, where these have the words; stop words. Or files of weights."""
        corpus = self._config.corpus.part
        if not corpus.has_text:
            return {"files": list(corpus.files(language, self._config.written).values())}
        vectors = []
        if self._config.bags.vocabulary == "vectors":
            vectors = [self._places.vectors.format(language=language)]
        return {
            "documents": [self._places.documents.format(language=language)],
            "vectors": vectors,
            "stop_words": self.stop_words([language]),
        }

    def stop_words(self, languages: list[str]) -> list[str]:
        """Return the files of stop words of some languages; none if words are not left out."""
        pattern = self._config.bags.stop_words
        if not pattern:
            return []
        names = [names_of(language, self._config.written) for language in languages]
        return [path_of(pattern, language=names_of_language) for names_of_language in names]

    def bags_of(self, languages: Sequence[str]) -> list[str]:
        """Return the bags of some languages."""
        return _of_each(languages, self._places.bags)

    def documents_of(self, languages: Sequence[str]) -> list[str]:
        """Return the documents of some languages."""
        return _of_each(languages, self._places.documents)

    # files of tasks

    def files_of_task(self, task: str, language: str) -> NamedPaths:
        """Return a task's own files for one language, by key."""
        part = self._config.all_tasks[task].part
        if part.parallel:
            return {"aligned": self.aligned_of(task)}
        files_by_key = part.files(language, self._config.written)
        return {key: [path] for key, path in files_by_key.items()}

    def task_data(self, task: str, language: str) -> NamedPaths:
        """A task's own files, and the words of the corpus."""
        return {
            **self.files_of_task(task, language),
            "bags": self.bags_of([language]),
            "stop_words": self.stop_words([language]),
        }

    def task_tables(self, task: str) -> NamedPaths:
        """A task's own files of language pairs, and the words of the corpus."""
        place = self.pair_files[task]
        paths = [str(path) for path in place.local_paths]
        if place.is_elsewhere:
            paths = [self._places.dictionaries.format(task=task)]
        return {
            "files": paths,
            "bags": self.bags_of(self.languages),
            "stop_words": self.stop_words(self.languages),
        }

    def aligned_of(self, task: str) -> list[str]:
        """Return what was aligned for a task; empty for a task without parallel text."""
        bundles = self.bundles.get(task, {})
        return [self._places.aligned.format(task=task, bundle=bundle) for bundle in bundles]

    def aligned(self, task: str, bundle: str) -> NamedPaths:
        """Return where the sentences of each language are: files, or paragraphs of the corpus."""
        paths = []
        for language, place in self.bundles[task][bundle].items():
            if place.file:
                paths.append(self._places.on_this_machine(place.file))
            else:
                paths.append(self._places.paragraphs.format(language=language))
        return {"sentences": paths}

    # training

    def draw(self) -> NamedPaths:
        """Bags of all languages; documents where equal ones count, or a split is given."""
        splits = self._config.splits
        documents = []
        if splits.duplicates == TOGETHER or splits.given:
            documents = self.documents_of(self.languages)
        file_of_split = []
        if isinstance(splits.given, str):
            file_of_split = [splits.given]
        return {
            "bags": self.bags_of(self.languages),
            "documents": documents,
            "given": file_of_split,
        }

    def setting(self, setting: str, repetition: int) -> NamedPaths:
        """Bags of the languages that train, and the draw."""
        return {
            "bags": self.bags_of(self._config.setting_by_name[setting].languages),
            "draw": [self._places.draw.format(repetition=repetition)],
        }

    def vectors(self, language: str, repetition: int = 1) -> NamedPaths:
        """Documents, and the draw, whose queries do not train. Or the file of given vectors."""
        vectors = self._config.vectors
        if isinstance(vectors, GivenVectors):
            path = vectors.file(language, self._config.written)
            return {"file": [self._places.on_this_machine(path)]}
        return {
            "documents": self.documents_of([language]),
            "draw": [self._places.draw.format(repetition=repetition)],
            "stop_words": self.stop_words([language]),
        }

    def align(self, first: str, second: str, setting: str = "", repetition: int = 1) -> NamedPaths:
        """Parallel sentences: joined from files, or paragraphs of documents that train."""
        stop_words = self.stop_words([first, second])
        bundles = self.bundles.get(ALIGNMENTS_SECTION)
        if bundles:
            bundle = files.bundle_with(bundles, (first, second))
            place = self._places.aligned.format(task=ALIGNMENTS_SECTION, bundle=bundle)
            return {"sentences": [place], "setting": [], "stop_words": stop_words}
        return {
            "sentences": _of_each((first, second), self._places.paragraphs),
            "setting": [self._places.setting.format(setting=setting, repetition=repetition)],
            "stop_words": stop_words,
        }

    def fit(self, setting: str, system: str, repetition: int) -> NamedPaths:
        """What all systems are fitted to, what this one needs, and what it is validated by."""
        languages = self._config.setting_by_name[setting].languages
        part = self._config.systems[system].part
        names = {"setting": setting, "repetition": repetition}
        vectors = []
        if "vectors" in part.needs:
            vectors = _of_each(languages, self._places.vectors, **names)
        files_of_system = self.own_files(setting, system)
        return {
            "bags": self.bags_of(languages),
            "draw": [self._places.draw.format(repetition=repetition)],
            "setting": [self._places.setting.format(**names)],
            "vectors": vectors,
            "seeds": self._tables_of(self.read_for_seeds(setting, system)),
            "texts": self._texts(setting, system),
            "alignments": self._alignments(setting, system, repetition),
            **self._channels(setting, system),
            **self._validated_by(setting, system),
            "files": [self._places.on_this_machine(path) for _, _, path in files_of_system],
            "stop_words": self.stop_words(list(languages)),
        }

    def own_files(self, setting: str, system: str) -> list[tuple[str, str, str]]:
        """Return language, key and path, or address, of a system's own files."""
        own_files = []
        for language in self._config.setting_by_name[setting].languages:
            paths = self._config.systems[system].part.files(language, self._config.written)
            own_files += [(language, key, path) for key, path in paths.items()]
        return own_files

    def _texts(self, setting: str, system: str) -> list[str]:
        """Return the documents of a setting's languages, if a system needs their texts."""
        if "texts" not in self._config.systems[system].part.needs:
            return []
        return self.documents_of(self._config.setting_by_name[setting].languages)

    def read_for_seeds(self, setting: str, system: str) -> list[str]:
        """Return whose word pairs a system starts from: those for training, and those of tests."""
        if "seeds" not in self._config.systems[system].part.needs:
            return []
        tasks = [DICTIONARY, *self._config.setting_by_name[setting].tasks]
        return [task for task in tasks if self.pair_files.get(task)]

    def _channels(self, setting: str, system: str) -> NamedPaths:
        """Return the channels that a system learns from."""
        languages = []
        if "channels" in self._config.systems[system].part.needs:
            trained = self._config.setting_by_name[setting].languages
            languages = [language for _, language in self.channels() if language in trained]
        channels = _of_each(languages, self._places.task_data, task=CHANNELS)
        judgements = []
        if languages and self._config.channels.qrels:
            judgements = [self._config.channels.qrels]
        return {"channels": channels, "judgements": judgements}

    def _validated_by(self, setting: str, system: str) -> NamedPaths:
        """Return the files of the task that a system's hyperparameters are chosen by."""
        task = self._config.validated_by(system)
        if task is None:
            return {"data": [], "tables": []}
        tables = []
        if task.part.of_pairs:
            tables = self._tables_of([DICTIONARY, task.name])
        languages = self._config.setting_by_name[setting].languages
        return {"data": self._data_of(task, languages), "tables": tables}

    def _alignments(self, setting: str, system: str, repetition: int) -> list[str]:
        """Return the word translation tables of each directed pair of a setting."""
        if "alignments" not in self._config.systems[system].part.needs:
            return []
        languages = self._config.setting_by_name[setting].languages
        alignments = self._config.alignments
        if not isinstance(alignments, MadeAlignments):
            return alignments.files(languages, self._config.written)
        names = {"setting": setting, "repetition": repetition}
        tables = []
        for pair in permutations(languages, 2):
            first, second = sorted(pair)
            tables.append(self._places.alignments.format(first=first, second=second, **names))
        return tables

    def _data_of(self, task: Entry, languages: Sequence[str]) -> list[str]:
        """Return the counts of a task's own files, if it has any."""
        if not task.part.reads_files:
            return []
        return _of_each(languages, self._places.task_data, task=task.name)

    def _tables_of(self, tasks: list[str]) -> list[str]:
        return [self._places.task_tables.format(task=task) for task in tasks]

    # evaluation

    def tested(self) -> list[tuple[str, str]]:
        """Return the tasks with files of their own, and each language, both in order."""
        tasks = [name for name, entry in self._config.tasks.items() if entry.part.reads_files]
        return list(product(sorted(tasks), self.languages))

    def channels(self) -> list[tuple[str, str]]:
        """Return the section of channels, and each of its languages; nothing without one."""
        if not self._config.channels:
            return []
        return [(CHANNELS, language) for language in sorted(self._config.channels.languages)]

    def has_seen(self) -> bool:
        """Whether there is text that may be that of tests."""
        has_text = self._config.corpus.part.has_text
        return bool(has_text or self._config.channels or self.sentences_to_train)

    def seen(self) -> NamedPaths:
        """Documents, draws, files of tasks, and text that trains."""
        documents = []
        if self._config.corpus.part.has_text:
            documents = self.documents_of(self.languages)
        repetitions = range(1, self._config.repetitions + 1)
        return {
            "bags": self.bags_of(self.languages),
            "documents": documents,
            "draws": [self._places.draw.format(repetition=number) for number in repetitions],
            "tests": self._files_of_tasks(self.tested()),
            "sentences": self.sentences_to_train,
            "channels": self._files_of_tasks(self.channels()),
        }

    def _files_of_tasks(self, tasks_and_languages: list[tuple[str, str]]) -> list[str]:
        files_of_tasks = []
        for task, language in tasks_and_languages:
            files_of_tasks += chain.from_iterable(self.files_of_task(task, language).values())
        return files_of_tasks

    def seen_if_any(self) -> list[str]:
        """Return what is known of test texts that train, if there is text."""
        if not self.has_seen():
            return []
        return [self._places.seen]

    def rank(self, setting: str, system: str, repetition: int, task: str) -> NamedPaths:
        """A model, what is searched, and what the task has."""
        languages = self._config.setting_by_name[setting].languages
        entry = self._config.tasks[task]
        further_languages = []
        if entry.part.is_judged:
            further_languages = [
                language for language in self._config.languages if language not in languages
            ]
        tables = []
        if self.pair_files[task]:
            tables = self._tables_of([task])
        names = {"setting": setting, "system": system, "repetition": repetition}
        return {
            "bags": self.bags_of(languages),
            "draw": [self._places.draw.format(repetition=repetition)],
            "model": [self._places.model.format(**names)],
            "texts": self._texts(setting, system),
            "data": self._data_of(entry, languages),
            "others": self._data_of(entry, further_languages),
            "tables": tables,
        }

    def ranks_of(self, rows: list[Row]) -> list[str]:
        """Return the ranks of rows of the matrix."""
        return _each_once(self._places.ranks, rows)

    def scores(self, rows: list[Row]) -> NamedPaths:
        """The ranks of a run or a first look; none of a run that trains on test texts."""
        return {"ranks": self.ranks_of(rows), "seen": self.seen_if_any()}

    def report(self, look: str, rows: list[Row], examples: Row | None) -> NamedPaths:
        """All that a run, or a first look at it, has made."""
        readers = list(self.pair_files)
        if look:
            tasks = {row.task for row in rows}
            readers = [reader for reader in readers if reader in tasks]
        aligned = []
        for reader in readers:
            if reader in self._config.tasks:
                aligned += self.aligned_of(reader)
        with_tables = [reader for reader in readers if self.pair_files[reader]]
        return {
            "scores": [self._places.scores.format(look=look)],
            "seen": self.seen_if_any(),
            "tables": self._tables_of(with_tables),
            "aligned": aligned,
            "ranks": self.ranks_of([row for row in rows if row == examples]),
            "bags": self.bags_of(self._config.languages),
            "documents": self.documents_of(self._config.languages),
            "draws": _each_once(self._places.draw, rows),
            "trained": _each_once(self._places.setting, rows),
            "models": _each_once(self._places.model, rows),
        }

    def explore(self, setting: str) -> NamedPaths:
        """The ranks of documents in the first repetition of a setting, and the report."""
        rows = []
        for row in self._config.matrix:
            if (row.setting.name, row.task, row.repetition) == (setting, DOCUMENTS_TASK, 1):
                rows.append(row)
        return {
            "ranks": self.ranks_of(rows),
            "documents": self.documents_of(self._config.languages),
            "scores": [self._places.scores.format(look="")],
            "report": [self._places.report.format(look="")],
        }

    # A failed job loses its output, and snakemake does not notice a missing intermediate file while
    # what was made of it, under other settings, still exists: so all are requested by name.
    def all_of(self, rows: list[Row]) -> list[str]:
        """Return documents, bags, draws, settings, models and ranks of rows of the matrix."""
        paths = self.bags_of(self._config.languages)
        if self._config.corpus.part.has_text:
            paths += self.documents_of(self._config.languages)
        for place in (self._places.draw, self._places.setting, self._places.model):
            paths += _each_once(place, rows)
        return paths + self.ranks_of(rows)


def _of_each(languages: Iterable[str], place: str, **wildcards: Any) -> list[str]:
    return [place.format(language=language, **wildcards) for language in languages]


def _each_once(place: str, rows: list[Row]) -> list[str]:
    return list(dict.fromkeys(place.format(**row.keys) for row in rows))
