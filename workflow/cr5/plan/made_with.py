"""What each result is made with: the settings of its own step, which its job compares.

They are a parameter of its rule, so that a job is repeated where they change, and stand in its
about.json, so that the next job refuses what was made with others. The rules add the checksums of
the user's files, and one's own modules are a part of the settings.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from cr5.base.languages import names_of, path_of
from cr5.counts.tokens import TokenRules
from cr5.fitting.seeds import DICTIONARY
from cr5.plan import files, shown
from cr5.plan.code import fingerprint
from cr5.plan.config import Configuration, Entry
from cr5.plan.matrix import Row, seed_of
from cr5.plan.resources import first_look
from cr5.plan.words import ALIGNMENTS_SECTION, CHANNELS, MadeAlignments
from cr5.search.options import SearchOptions
from cr5.texts.fetch import as_folder

NAMED = ("title", "validation_task")  # keys of a system's entry that change no fit by themselves

Made = dict[str, Any]


class MadeWith:
    """The settings of each step, a method for its script, by the wildcards; plain JSON values.

    UserError: dictionaries or parallel files are not where they should be, or addresses are wrong.
    """

    def __init__(self, config: Configuration):
        self._config, self._plain = config, config.plain()
        self.first_look = first_look(config)
        self.languages = sorted(config.languages)
        self.places = {name: files.pair_files(config, name) for name in config.readers}
        self.bundles = files.bundles(config)
        files.elsewhere(config)  # which checks them
        self.channels = {}  # files by language
        if config.channels:
            of = config.readers[CHANNELS].part
            languages = sorted(config.channels.languages)
            self.channels = {x: of.files(x, config.written) for x in languages}

    def source(self) -> Made:
        """The texts of a corpus, as they are fetched."""
        return {"corpus": self._plain["corpus"], "languages": self._config.languages}

    def documents(self, language: str) -> Made:
        """One language's documents, of the user's own files or of fetched ones."""
        corpus = self._config.corpus
        return {
            "corpus": self._plain["corpus"],
            "own_code": _own_code(corpus),
            "languages": self.languages if corpus.part.together else [],
        }

    def of_corpus(self, language: str) -> list[str]:
        """Return the user's file or folder of a language of the corpus; none if it is fetched."""
        corpus = self._plain["corpus"]
        if not corpus.get("path"):
            return []
        names = names_of(language, self._config.written, corpus.get("codes"))
        path = path_of(corpus["path"], language=names)
        return [str(Path(path))]  # snakemake warns of `./a` and `a//b`

    def beside_corpus(self, language: str) -> list[str]:
        """Return what else a source of the user's own reads on this machine for a language."""
        files_of_source = self._config.corpus.part.files(language, self._config.written)
        others = [path for key, path in files_of_source.items() if key != "path"]
        return [path for path in others if as_folder(path) is not None]

    def bags(self, language: str) -> Made:
        """Bags of words."""
        return {"rules": self._plain["bags"]}

    def bags_matrix(self, language: str) -> Made:
        """Bags of weights of numbered words."""
        return {**self.bags(language), **self.documents(language)}

    def task_data(self, task: str, language: str) -> Made:
        """A task's own texts, or those of channels, counted with the corpus's words."""
        return {**_part(self._config.readers[task]), "tokens": self._tokens()}

    def dictionaries(self, task: str) -> Made:
        """Dictionaries that are fetched."""
        return self.places[task].made_with

    def task_tables(self, task: str) -> Made:
        """What a task makes of files of language pairs."""
        return {
            **_part(self._config.readers[task]),
            **self.places[task].made_with,
            "languages": self.languages,
            "tokens": self._tokens(),
        }

    def aligned(self, task: str, bundle: str) -> Made:
        """Parallel text of a task, or of the aligner."""
        entry, places = self._config.readers[task], self.bundles[task][bundle]
        return {
            "places": {x: place.member for x, place in places.items()},
            "of_corpus": entry.part.of_corpus,
            "options": entry.plain(),
            "seed": self._config.seed,
        }

    def seen(self) -> Made:
        """The search for texts of tests among documents and other texts that train."""
        return {
            "languages": self.languages,
            "draws": [self.draw(str(x + 1)) for x in range(self._config.repetitions)],
            "tests": [[task, self._plain["tasks"][task], x] for task, x in self.tested()],
            "channels": self.channels,
        }

    def tested(self) -> list[tuple[str, str]]:
        """Return the tasks with files of their own, and each language."""
        named = [name for name, entry in self._config.tasks.items() if entry.part.reads_files]
        return [(task, language) for task in named for language in self.languages]

    def draw(self, repetition: str) -> Made:
        """Queries and candidates."""
        asked = self._plain["evaluation"]["examples"].get("queries")
        return {
            **({"asked": asked} if asked else {}),
            "languages": self.languages,
            "pairs": self._config.pairs,
            "splits": self._plain["splits"],
            "seed": self._config.draw_seed(int(repetition)),
        }

    def setting(self, setting: str, repetition: str) -> Made:
        """Who trains in a setting."""
        return {
            **self._setting(setting),
            "splits": self._plain["splits"],
            "seed": self._config.draw_seed(int(repetition)),
        }

    def given_vectors(self, language: str) -> Made:
        """Word vectors that are given."""
        return {"most_frequent": self._config.vectors.most_frequent}

    def vectors(self, language: str, repetition: str) -> Made:
        """Word vectors that are trained."""
        return {
            "tokens": self._tokens(),
            "options": self._plain["vectors"],
            "processor": self._config.processor,
            "seed": seed_of(self._config.seed, int(repetition)),
        }

    def align(self, repetition: str = "1", **_: str) -> Made:
        """Word translation tables that an aligner makes."""
        return {
            "tokens": self._tokens(),
            "options": self._plain.get(ALIGNMENTS_SECTION),
            "seed": seed_of(self._config.seed, int(repetition)),
        }

    def fit(self, setting: str, system: str, repetition: str) -> Made:
        """A fitted system."""
        config, entry = self._config, self._config.systems[system]
        made = self._setting(setting)
        task, evaluation = config.validated_by(system), config.evaluation
        keeps = evaluation.csls_neighbourhood == "training"
        return {
            **made,
            "corpus": {key: self._plain["corpus"][key] for key in ("name", "source")},
            "options": {key: value for key, value in entry.plain().items() if key not in NAMED},
            "own_code": _own_code(entry),
            "needs": list(entry.part.needs),
            "files": [[x, key] for x in made["languages"] for key in entry.part.files(x)],
            "idf": config.weighting.idf,
            "term_frequency": getattr(entry.part, "term_frequency", None)
            or config.weighting.term_frequency,
            "bags": self._plain["bags"],
            "alignments_are_made": isinstance(config.alignments, MadeAlignments),
            "seeds": self.read_for_seeds(setting, system),
            "validation": self._plain["validation"],
            "validation_task": task is not None and [task.name, task.plain()],
            # of CSLS by the training documents that the model keeps
            "csls_neighbours": evaluation.csls_neighbours if keeps else 0,
            "processor": config.processor,
            "seed": seed_of(config.seed, int(repetition)),
        }

    def read_for_seeds(self, setting: str, system: str) -> list[str]:
        """Return whose word pairs a system starts from: those for training, and those of tests."""
        if "seeds" not in self._config.systems[system].part.needs:
            return []
        every = (DICTIONARY, *self._config.trained[setting].tasks)
        return [x for x in every if self.places.get(x)]

    def rank(self, setting: str, system: str, repetition: str, task: str) -> Made:
        """A system's ranks in a task."""
        of, evaluation = self._config.systems[system], self._plain["evaluation"]
        return {
            **self._setting(setting),
            **_part(self._config.tasks[task]),
            "module": of.module if of.is_own else None,  # which may have a class of models
            "search": {key: evaluation[key] for key in SearchOptions.model_fields},
            "seed": self._config.draw_seed(int(repetition)),
        }

    def rows(self, look: str) -> list[Row]:
        """Return the rows of the matrix, or those of a first look."""
        return self.first_look if look else self._config.matrix

    def scores(self, look: str) -> Made:
        """Figures of merit of all ranks."""
        return {
            "metrics": shown.metrics(self._config),
            "curve": self._config.evaluation.curve,
            "seed": self._config.seed,
            "fits": [[x.setting.name, x.system, x.task] for x in self.rows(look)],
        }

    def report(self, look: str) -> Made:
        """Tables and figures."""
        return {"facts": shown.facts(self._config, self.rows(look)).model_dump(mode="json")}

    def _setting(self, setting: str) -> Made:
        """Return who trains and what is searched, but not by which systems and for which tasks."""
        found = asdict(self._config.trained[setting])
        return {key: found[key] for key in ("series", "kind", "languages", "pairs", "cut")}

    def _tokens(self) -> Made:
        """Return how texts become words."""
        return {x: y for x, y in self._plain["bags"].items() if x in TokenRules.model_fields}


def _part(entry: Entry) -> Made:
    return {"options": entry.plain(), "own_code": _own_code(entry)}


def _own_code(entry: Entry) -> str | None:
    """Return the fingerprint of a user's own module, which no version of the package tells."""
    return fingerprint(entry.source) if entry.is_own else None
