"""What each result is made with: its own settings, and the content of files from files.

The settings of a step are its job's parameters too, so that the job is repeated where they change,
and no other; chained, they identify ranks, and all ranks together the run.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cr5.base.parts import PACKAGE, SYSTEMS, TASKS
from cr5.fitting.options import DOCUMENTS
from cr5.fitting.seeds import SECTION
from cr5.plan import files
from cr5.plan.code import fingerprint
from cr5.plan.config import keeps_documents, needs, term_frequency, validation_task
from cr5.plan.files import bundles_of, is_of_corpus, readers, sentences_of
from cr5.plan.matrix import Setting, draw_seed, searched_pairs, seed_of, settings
from cr5.texts.fetch import as_folder
from cr5.texts.parallel import is_remote, local

SEARCH = (
    "measures",
    "csls_neighbours",
    "csls_neighbourhood",
    "inverse_temperature",
    "run_depth",
)

NAMED = ("title", "validation_task")  # keys of a system's entry that change no fit by themselves

Made = dict[str, Any]


class MadeWith:
    """The settings of each step of a run; all of them JSON-serialisable.

    Args:
        config: validated.
        content: returns the checksum of an external file.

    Raises:
        UserError: dictionaries are not where they should be.
    """

    def __init__(self, config: Mapping[str, Any], content: Callable[[str | Path], str | None]):
        self._config, self._content = config, content
        self._settings = settings(config)
        self._readers = files.pair_readers(config)
        self.dictionaries = {name: files.pair_files(config, name) for name in self._readers}

    def draw(self, repetition: int) -> Made:
        """Return what a draw of queries and candidates is made with."""
        config = self._config
        made = {
            "pairs": searched_pairs(config),
            "sizes": config["splits"],
            "seed": draw_seed(config, repetition),
        }
        if file := files.split(config):
            made["split"] = self.content_of(file)
        if config["bags"]["vocabulary"] == "vectors":
            made["vocabulary"] = self._vectors(sorted(config["languages"]))
        return made

    def fit(self, setting: str, system: str, repetition: int) -> Made:
        """Return what a model is made with, besides its draw."""
        config, trained = self._config, self._settings[setting]
        needed, languages = needs(config, system), list(trained.languages)
        return {
            "setting": setting,
            "languages": languages,
            "pairs": trained.pairs,
            "cut": trained.cut and asdict(trained.cut),
            "options": options_of_fit(config["systems"][system]),
            "own_code": self._own_code("systems", system),
            "needs": list(needed),
            "files": self._files_of_system(system, languages),
            "idf": config["weighting"]["idf"],
            "term_frequency": term_frequency(config, system),
            "bags": config["bags"],
            "stop_words": self.content_of(files.stop_words(config, languages)),
            "splits": config["splits"],
            "vectors": self._vectors(languages) if "vectors" in needed else [],
            "alignments": self._alignments(languages) if "alignments" in needed else [],
            "seeds": self._seeds(trained) if "seeds" in needed else {},
            "validation": config["validation"],
            "validation_task": self._validation_task(system, languages),
            "processor": config["processor"],
            "seed": seed_of(config["seed"], repetition),
            **({"channels": self._channels(languages)} if "channels" in needed else {}),
            **({"keeps_documents": True} if keeps_documents(config) else {}),
        }

    def rank(self, setting: str, task: str) -> Made:
        """Return what ranks are made with, besides their model."""
        config, languages = self._config, self._settings[setting].languages
        return {
            "task": task,
            "options": config["tasks"][task],
            "own_code": self._own_code("tasks", task),
            "files": self._files_of_task(task, languages),
            "dictionaries": self._dictionaries(task),
            "sentences": self._sentences(task),
            "search": {key: config["evaluation"][key] for key in SEARCH},
        }

    def read_for_seeds(self, setting: str, system: str) -> list[str]:
        """Return whose word pairs a system starts from: those for training, and those of tests."""
        if "seeds" not in needs(self._config, system):
            return []
        return list(self._seeds(self._settings[setting]))

    def _seeds(self, setting: Setting) -> Made:
        read = [x for x in (SECTION, *setting.tasks) if self.dictionaries.get(x)]
        return {task: [self._readers[task], self._dictionaries(task)] for task in read}

    def _dictionaries(self, task: str) -> list[str | None]:
        place = self.dictionaries[task]
        return [self._content(path) for path in place.here] if place else []

    def _vectors(self, languages: Iterable[str]) -> list[Any]:
        given = [files.vectors(self._config, language) for language in languages]
        read = self._channels(languages) if files.vectors_read_channels(self._config) else []
        return [self._config["vectors"], *self.content_of(filter(None, given)), *read]

    def _alignments(self, languages: Iterable[str]) -> list[Any]:
        tables = files.alignments(self._config, languages)
        return self.content_of(tables) or [self._config["alignments"]]

    def _channels(self, languages: Iterable[str]) -> list[Any]:
        read = files.channels(self._config, languages)
        return [self._config["channels"], *self.content_of(read)] if read else []

    def content_of(self, paths: Iterable[str]) -> list[str | None]:
        """Return checksums of those on this machine; an address identifies its file."""
        return [self._content(place) for place in map(as_folder, paths) if place is not None]

    def _files_of_system(self, system: str, languages: Iterable[str]) -> list[list[Any]]:
        found = files.of_system(self._config, system, languages)
        return [[*key, *self.content_of([path])] for key, path in found.items()]

    def _files_of_task(self, task: str, languages: Iterable[str]) -> list[list[Any]]:
        found = {x: files.of_task(self._config, task, x) for x in languages}
        return [[x, y, self._content(path)] for x in found for y, path in found[x].items()]

    def _sentences(self, task: str) -> list[list[Any]]:
        """Return bundle, language and checksum of parallel files on this machine."""
        if task not in readers(self._config) or is_of_corpus(sentences_of(self._config, task)):
            return []
        return [
            [bundle.name, language, self._content(local(place.file))]
            for bundle in bundles_of(self._config, task, "")
            for language, place in sorted(bundle.places.items())
            if not is_remote(place.file)
        ]

    def _validation_task(self, system: str, languages: Iterable[str]) -> Made:
        task = validation_task(self._config, system)
        if task == DOCUMENTS:
            return {}
        made = {
            "name": task,
            "options": self._config["tasks"][task],
            "files": self._files_of_task(task, languages),
        }
        if sentences := self._sentences(task):
            made["sentences"] = sentences
        if self.dictionaries.get(task):
            names = (SECTION, task)
            made["dictionaries"] = [[self._readers[x], self._dictionaries(x)] for x in names]
        return made

    def _own_code(self, section: str, name: str) -> str | None:
        """Return the fingerprint of a user's own module, which no commit of the package covers."""
        kind = SYSTEMS if section == "systems" else TASKS
        source = kind.source(name, self._config[section][name])
        return None if source.is_relative_to(PACKAGE) else fingerprint(source)


def options_of_fit(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry without its title, which changes no fit, and the task that validates."""
    return {key: value for key, value in options.items() if key not in NAMED}
