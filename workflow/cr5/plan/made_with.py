"""What each result is made with: the settings of its own step, which its job compares.

They are a parameter of its rule, so that a job is repeated where they change, and stand in its
about.json, so that the next job refuses what was made with others. Of a file from elsewhere they
have the size: one that was put in place of another may be older.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cr5.base.catalogue import SOURCES, SYSTEMS, TASKS, Kind
from cr5.base.parts import PACKAGE
from cr5.fitting.options import DOCUMENTS
from cr5.fitting.seeds import DICTIONARY
from cr5.plan import files, shown
from cr5.plan.code import fingerprint
from cr5.plan.config import keeps_documents, needs, part, source, term_frequency, validation_task
from cr5.plan.files import is_made, is_of_corpus, sentences_of
from cr5.plan.matrix import (
    Row,
    draw_seed,
    main_task,
    matrix,
    quick,
    searched_pairs,
    seed_of,
    settings,
)
from cr5.plan.resources import needing_little
from cr5.plan.words import ALIGNMENTS_SECTION
from cr5.texts.fetch import as_folder
from cr5.texts.sources import matrix as weights

TOKENS = ("case", "tokens", "stop_words", "stemmer")  # how texts become words, wherever
SEARCH = (
    "measures",
    "csls_neighbours",
    "csls_neighbourhood",
    "inverse_temperature",
    "run_depth",
)
SENTENCES = ("min_words", "candidates", "idf", "idf_lines", "validation")
NAMED = ("title", "validation_task")  # keys of a system's entry that change no fit by themselves

Made = dict[str, Any]


class MadeWith:
    """The settings of each rule's step, a method a rule; plain JSON values.

    UserError: dictionaries are not where they should be.
    """

    def __init__(self, config: Mapping[str, Any]):
        self._config = config
        self.settings = settings(config)
        self.matrix = matrix(config)
        self.first_look = quick(self.matrix, main_task(config), needing_little(config))
        self.languages = sorted(config["languages"])
        self.readers = files.pair_readers(config)
        self.places = {name: files.pair_files(config, name) for name in self.readers}

    def source(self) -> Made:
        """The texts of a corpus, as they are fetched."""
        return {"corpus": self._config["corpus"], "languages": self._config["languages"]}

    def documents(self, language: str) -> Made:
        """One language's documents, of the user's own files or of fetched ones."""
        corpus = self._config["corpus"]
        return {
            "corpus": corpus,
            "own_code": _own_code(SOURCES, "corpus", corpus),
            "languages": self.languages if source(self._config).together else [],
            "sizes": sizes(filter(None, [files.of_corpus(self._config, language)])),
        }

    def pins(self) -> Made:
        """The files of a dump that are published."""
        corpus = self._config["corpus"]
        return {key: corpus[key] for key in ("date", "sql_date", "base") if corpus[key]}

    def bags(self, language: str) -> Made:
        """Bags of words, or of weights of numbered words."""
        made = {"rules": self._config["bags"], "stop_words": self._stop_words([language])}
        if source(self._config).has_text:
            return made
        found = self.weights(language)
        made["prefix"] = weights.prefix_of(self._config["corpus"]["path"], language)
        return made | {"files": list(found), "sizes": sizes(found.values())}

    def weights(self, language: str) -> dict[str, str]:
        """Return the files of a source of weights, by the prefix of their documents."""
        corpus = self._config["corpus"]
        return weights.files(*(corpus[x] for x in ("path", "codes", "originals")), language)

    def task_data(self, task: str, language: str) -> Made:
        """A task's own texts, counted with the corpus's words."""
        options = self._config["tasks"][task]
        return {
            "task": task,
            "options": options,
            "own_code": _own_code(TASKS, task, options),
            "tokens": self._tokens(),
            "stop_words": self._stop_words([language]),
            "sizes": sizes(files.of_task(self._config, task, language).values()),
        }

    def channel(self, language: str) -> Made:
        """Text of one language alone, likewise."""
        return {
            "task": "ad_hoc",
            "options": {},
            "tokens": self._tokens(),
            "stop_words": self._stop_words([language]),
            "sizes": sizes(files.channel(self._config, language).values()),
        }

    def dictionaries(self, task: str) -> Made:
        """Dictionaries that are fetched."""
        place = self.places[task]
        return {"where": place.where, "pairs": place.pairs}

    def task_tables(self, task: str) -> Made:
        """What a task makes of files of language pairs."""
        place, options = self.places[task], self.readers[task]
        return {
            "options": options,
            "own_code": _own_code(TASKS, task, options),
            "languages": self.languages,
            "tokens": self._tokens(),
            "stop_words": self._stop_words(self.languages),
            "where": place.where,
            "is_fetched": place.is_elsewhere,
            "pairs": place.pairs,
            "sizes": sizes(place.here),
        }

    def aligned(self, task: str, bundle: str) -> Made:
        """Parallel text of a task, or of the aligner."""
        options = sentences_of(self._config, task)
        places = self.bundles(task)[bundle]
        return {
            "places": {x: place.member for x, place in places.items()},
            "of_corpus": is_of_corpus(options),
            "options": {key: options[key] for key in SENTENCES if key in options},
            "seed": self._config["seed"],
            "sizes": sizes(place.file for place in places.values() if place.file),
        }

    def bundles(self, task: str) -> files.Bundles:
        """Return the parallel text of a task, or of the aligner; none if it has none."""
        if task not in files.readers(self._config):
            return {}
        return files.bundles_of(self._config, task, "")

    def seen(self) -> Made:
        """The search for texts of tests among what trains."""
        tasks = self.tested()
        return {
            "languages": self.languages,
            "tests": [[task, self._config["tasks"][task], x] for task, x in tasks],
            "channels": self.channels(),
            "sizes": sizes(
                [
                    *(
                        y
                        for task, x in tasks
                        for y in files.of_task(self._config, task, x).values()
                    ),
                    *files.channels(self._config, self.languages),
                ]
            ),
        }

    def tested(self) -> list[tuple[str, str]]:
        """Return the tasks with files of their own, and each language."""
        named = [x for x in self._config["tasks"] if part(self._config, "tasks", x).reads_files]
        return [(task, language) for task in named for language in self.languages]

    def channels(self) -> dict[str, dict[str, str]]:
        """Return the files of each language that has a channel."""
        found = {x: files.channel(self._config, x) for x in self.languages}
        return {x: of for x, of in found.items() if of}

    def draw(self, repetition: str) -> Made:
        """Queries and candidates."""
        return {
            "languages": self.languages,
            "pairs": searched_pairs(self._config),
            "splits": self._config["splits"],
            "seed": draw_seed(self._config, int(repetition)),
            "sizes": sizes(files.split(self._config)),
        }

    def setting(self, setting: str, repetition: str) -> Made:
        """Who trains in a setting."""
        chosen = self.settings[setting]
        return {
            "languages": list(chosen.languages),
            "names": {"series": chosen.series, "kind": chosen.kind},
            "splits": self._config["splits"],
            "pairs": chosen.pairs,
            "cut": chosen.cut and asdict(chosen.cut),
            "seed": draw_seed(self._config, int(repetition)),
        }

    def given_vectors(self, language: str) -> Made:
        """Word vectors that are given."""
        path = files.vectors(self._config, language)
        most_frequent = self._config["vectors"]["most_frequent"]
        return {"most_frequent": most_frequent, "sizes": sizes([path])}

    def vectors(self, language: str, repetition: str) -> Made:
        """Word vectors that are trained."""
        return {
            "tokens": self._tokens(),
            "stop_words": self._stop_words([language]),
            "options": self._config["vectors"],
            "processor": self._config["processor"],
            "seed": seed_of(self._config["seed"], int(repetition)),
            "sizes": sizes(self.channel_of_vectors(language)),
        }

    def channel_of_vectors(self, language: str) -> list[str]:
        """Return the documents of a language's channel, if word vectors read them."""
        found = files.channel(self._config, language)
        reads = self._config.get("channels", {}).get("train_vectors")
        return [found["documents"]] if found and reads else []

    def align(self, repetition: str = "1", **_: str) -> Made:
        """Word translation tables that an aligner makes."""
        return {
            "tokens": self._tokens(),
            "stop_words": self._stop_words(self.languages),
            "options": self._config.get(ALIGNMENTS_SECTION),
            "seed": seed_of(self._config["seed"], int(repetition)),
        }

    def fit(self, setting: str, system: str, repetition: str) -> Made:
        """A fitted system."""
        config, trained = self._config, self.settings[setting]
        needed, languages = needs(config, system), list(trained.languages)
        entry = config["systems"][system]
        own = files.of_system(config, system, languages)
        given = files.alignments(config, languages) if "alignments" in needed else []
        task = validation_task(config, system)
        return {
            "corpus": {key: config["corpus"][key] for key in ("name", "source")},
            "setting": setting,
            "languages": languages,
            "pairs": trained.pairs,
            "cut": trained.cut and asdict(trained.cut),
            "options": {key: value for key, value in entry.items() if key not in NAMED},
            "own_code": _own_code(SYSTEMS, system, entry),
            "needs": list(needed),
            "files": [list(key) for key in own],
            "sizes": sizes([*own.values(), *given]),
            "stop_words": self._stop_words(languages),
            "idf": config["weighting"]["idf"],
            "term_frequency": term_frequency(config, system),
            "bags": config["bags"],
            "alignments_are_made": is_made(config),
            "seeds": self.read_for_seeds(setting, system),
            "channels": config.get("channels") if "channels" in needed else None,
            "validation": config["validation"],
            "validation_task": task != DOCUMENTS and [task, config["tasks"][task]],
            "keeps_documents": keeps_documents(config),
            "processor": config["processor"],
            "seed": seed_of(config["seed"], int(repetition)),
        }

    def read_for_seeds(self, setting: str, system: str) -> list[str]:
        """Return whose word pairs a system starts from: those for training, and those of tests."""
        if "seeds" not in needs(self._config, system):
            return []
        every = (DICTIONARY, *self.settings[setting].tasks)
        return [x for x in every if self.places.get(x)]

    def rank(self, setting: str, system: str, repetition: str, task: str) -> Made:
        """A system's ranks in a task."""
        config, chosen = self._config, self.settings[setting]
        options, entry = config["tasks"][task], config["systems"][system]
        return {
            "names": {"series": chosen.series, "kind": chosen.kind},
            "languages": list(chosen.languages),
            "pairs": chosen.pairs,
            "options": options,
            "own_code": _own_code(TASKS, task, options),
            "module": own_module(system, entry),
            "search": {key: config["evaluation"][key] for key in SEARCH},
            "seed": draw_seed(config, int(repetition)),
        }

    def rows(self, look: str) -> list[Row]:
        """Return the rows of the matrix, or those of a first look."""
        return self.first_look if look else self.matrix

    def scores(self, look: str) -> Made:
        """Figures of merit of all ranks."""
        return {
            "metrics": shown.metrics(self._config),
            "curve": self._config["evaluation"]["curve"],
            "seed": self._config["seed"],
            "fits": [[x.setting.name, x.system, x.task] for x in self.rows(look)],
        }

    def _tokens(self) -> Made:
        return {key: self._config["bags"][key] for key in TOKENS}

    def _stop_words(self, languages: Iterable[str]) -> list[int | None]:
        return sizes(files.stop_words(self._config, languages))


def own_module(system: str, entry: Mapping[str, Any]) -> str | None:
    """Return the file of a user's own system, which may have a class of models; None of ours."""
    return None if SYSTEMS.source(system, entry).is_relative_to(PACKAGE) else entry["module"]


def _own_code(kind: Kind, name: str, entry: Mapping[str, Any]) -> str | None:
    """Return the fingerprint of a user's own module, which no commit of the package covers."""
    path = kind.source(name, entry)
    return None if path.is_relative_to(PACKAGE) else fingerprint(path)


def sizes(paths: Iterable[str | Path]) -> list[int | None]:
    """Return the size of each file, or of a folder's files; None of one that is not there."""
    found = (as_folder(str(path)) for path in paths)
    return [None if path is None else _size(path) for path in found]


def _size(path: Path) -> int | None:
    if path.is_dir():
        return sum(x.stat().st_size for x in path.rglob("*") if x.is_file())
    return path.stat().st_size if path.exists() else None
