"""The step of each kind of job of a run, by the wildcards of its rule."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from cr5.base.errors import UserError
from cr5.counts.tokens import TokenRules
from cr5.fitting.options import DOCUMENTS as DOCUMENTS_TASK
from cr5.fitting.options import TrainingOptions
from cr5.plan import files, shown
from cr5.plan.code import fingerprint
from cr5.plan.config import Configuration, Entry
from cr5.plan.inputs import Inputs, NamedPaths
from cr5.plan.matrix import Row, seed_of
from cr5.plan.resources import first_look
from cr5.plan.words import ALIGNMENTS_SECTION, GivenVectors, MadeAlignments
from cr5.search.options import SearchOptions
from cr5.steps.align import AlignStep
from cr5.steps.aligned import AlignedStep
from cr5.steps.bags import BagsStep, rules_of_bags
from cr5.steps.dictionaries import DictionariesStep
from cr5.steps.documents import DocumentsStep
from cr5.steps.draw import DrawStep
from cr5.steps.fit import FitStep
from cr5.steps.given_vectors import GivenVectorsStep
from cr5.steps.parts import NamedPart, NamedSource, NamedSystem, NamedTask
from cr5.steps.rank import RankStep
from cr5.steps.report import ReportStep
from cr5.steps.scores import ScoresStep
from cr5.steps.seen import SeenStep, TaskTexts
from cr5.steps.setting import SettingStep
from cr5.steps.situation import Situation
from cr5.steps.source import SourceStep
from cr5.steps.task_data import TaskDataStep
from cr5.steps.task_tables import TaskTablesStep
from cr5.steps.vectors import VectorsStep
from cr5.steps.weighted_bags import WeightedBagsStep
from cr5.steps.wikipedia_documents import WikipediaDocumentsStep

ModelT = TypeVar("ModelT", bound=BaseModel)
NAMED = {kind.kind: kind for kind in (NamedSource, NamedSystem, NamedTask)}
"""What holds a part in steps, by the kind of part."""


class Steps:
    """The step of each kind of job, by the wildcards of its rule.

    Args:
        config: of the run.
        inputs: what steps read.
        checksum: returns the checksum of a file or folder of the user; None if it is not there.
    """

    def __init__(
        self,
        config: Configuration,
        inputs: Inputs,
        checksum: Callable[[str], str | None],
    ):
        self.config = config
        self.inputs = inputs
        self._first_look = first_look(config)
        self._checksum = checksum
        self._languages = tuple(sorted(config.languages))

    # texts

    def source(self) -> SourceStep:
        """The texts of a corpus, as they are fetched."""
        return SourceStep(corpus=_named(self.config.corpus), languages=self._languages)

    def documents(self, language: str) -> DocumentsStep | WikipediaDocumentsStep:
        """One language's documents, of the user's own files or of fetched ones."""
        if self.config.corpus.part.own_rules:
            return WikipediaDocumentsStep(language=language)
        languages_together = ()
        if self.config.corpus.part.together:
            languages_together = self._languages
        return DocumentsStep(
            language=language,
            corpus=_named(self.config.corpus),
            languages=languages_together,
            is_fetched=not files.texts_of_corpus(self.config, language),
            contents=self._contents(self.inputs.documents(language)),
        )

    def bags(self, language: str) -> BagsStep | WeightedBagsStep:
        """Bags of words, or of weights of numbered words."""
        rules = rules_of_bags(self.config.bags)
        contents = self._contents(self.inputs.bags(language))
        if self.config.corpus.part.has_text:
            return BagsStep(language=language, rules=rules, contents=contents)
        corpus = _named(self.config.corpus)
        return WeightedBagsStep(language=language, rules=rules, corpus=corpus, contents=contents)

    # files of tasks

    def task_data(self, task: str, language: str) -> TaskDataStep:
        """A task's own texts, or those of channels, counted with the corpus's words."""
        return TaskDataStep(
            task=_named(self.config.all_tasks[task]),
            language=language,
            tokens=self._tokens(),
            keys=tuple(self.inputs.files_of_task(task, language)),
            contents=self._contents(self.inputs.task_data(task, language)),
        )

    def dictionaries(self, task: str) -> DictionariesStep:
        """Dictionaries that are fetched."""
        place = self.inputs.pair_files[task]
        return DictionariesStep(where=place.where, pairs=place.pairs, addresses=place.addresses)

    def task_tables(self, task: str) -> TaskTablesStep:
        """What a task makes of files of language pairs."""
        place = self.inputs.pair_files[task]
        return TaskTablesStep(
            task=_named(self.config.all_tasks[task]),
            languages=self._languages,
            tokens=self._tokens(),
            where=place.where,
            is_fetched=place.is_elsewhere,
            pairs=place.pairs,
            found=tuple(place.file_of_pair),
            contents=self._contents(self.inputs.task_tables(task)),
        )

    def aligned(self, task: str, bundle: str) -> AlignedStep:
        """Parallel text of a task, or of the aligner."""
        places = self.inputs.bundles[task][bundle]
        return AlignedStep(
            task=_named(self.config.all_tasks[task]),
            bundle=bundle,
            members={language: place.member for language, place in places.items()},
            seed=self.config.seed,
            contents=self._contents(self.inputs.aligned(task, bundle)),
        )

    # training

    def draw(self, repetition: int) -> DrawStep:
        """Queries and candidates."""
        queries = self.config.evaluation.examples.queries
        return DrawStep(
            languages=self._languages,
            pairs=self.config.searched_pairs,
            splits=self.config.splits,
            asked=tuple(query.model_dump() for query in queries),
            seed=self.config.draw_seed(repetition),
            contents=self._contents(self.inputs.draw()),
        )

    def setting(self, setting: str, repetition: int) -> SettingStep:
        """Who trains in a setting."""
        return SettingStep(
            setting=setting,
            repetition=repetition,
            situation=self._situation(setting),
            splits=self.config.splits,
            seed=self.config.draw_seed(repetition),
        )

    def vectors(self, language: str, repetition: int = 1) -> GivenVectorsStep | VectorsStep:
        """Word vectors."""
        vectors = self.config.vectors
        contents = self._contents(self.inputs.vectors(language, repetition))
        if isinstance(vectors, GivenVectors):
            most_frequent = vectors.most_frequent
            return GivenVectorsStep(
                language=language, most_frequent=most_frequent, contents=contents
            )
        return VectorsStep(
            language=language,
            tokens=self._tokens(),
            options=vectors,
            processor=self.config.processor,
            seed=seed_of(self.config.seed, repetition),
            contents=contents,
        )

    def align(self, first: str, second: str, setting: str = "", repetition: int = 1) -> AlignStep:
        """Word translation tables that an aligner makes."""
        alignments = self.config.alignments
        return AlignStep(
            first=first,
            second=second,
            tokens=self._tokens(),
            aligner=alignments.aligner,
            of_documents=ALIGNMENTS_SECTION not in self.inputs.bundles,
            seed=seed_of(self.config.seed, repetition),
            contents=self._contents(self.inputs.align(first, second, setting, repetition)),
        )

    def fit(self, setting: str, system: str, repetition: int) -> FitStep:
        """A fitted system."""
        config = self.config
        entry = config.systems[system]
        validation_task = config.validated_by(system)
        named_task = None
        if validation_task is not None:
            named_task = _named(validation_task)
        own_files = self.inputs.own_files(setting, system)
        return FitStep(
            setting=setting,
            repetition=repetition,
            situation=self._situation(setting),
            system=_named(entry),
            rerank=entry.own_keys.rerank or (),
            training=self._training(entry, repetition),
            validation_task=named_task,
            seeds=self.inputs.read_for_seeds(setting, system),
            alignments_are_made=isinstance(config.alignments, MadeAlignments),
            keys_of_files=[(language, key) for language, key, _ in own_files],
            corpus_name=config.corpus.own_keys.name,
            corpus_source=config.corpus.own_keys.source,
            processor=config.processor,
            contents=self._contents(self.inputs.fit(setting, system, repetition)),
        )

    def _training(self, entry: Entry, repetition: int) -> TrainingOptions:
        """Return what a training set is gathered by."""
        config = self.config
        evaluation = config.evaluation
        own_term_frequency = getattr(entry.part, "term_frequency", None)
        csls_neighbours = 0
        if evaluation.csls_neighbourhood == "training":  # documents, which the model keeps
            csls_neighbours = evaluation.csls_neighbours
        try:
            return TrainingOptions(
                bags=config.bags,
                idf=config.weighting.idf,
                term_frequency=own_term_frequency or config.weighting.term_frequency,
                validation=config.validation,
                csls_neighbours=csls_neighbours,
                seed=seed_of(config.seed, repetition),
            )
        except ValidationError as error:  # of a system of one's own that has such a key
            message = error.errors()[0]["msg"]
            raise UserError(f"{entry.place}.term_frequency: {message}") from error

    # evaluation

    def seen(self) -> SeenStep:
        """The search for texts of tests among documents and other texts that train."""
        repetitions = range(1, self.config.repetitions + 1)
        tests = [self._task_texts(task, language) for task, language in self.inputs.tested()]
        channels = [self._task_texts(task, language) for task, language in self.inputs.channels()]
        return SeenStep(
            languages=self._languages,
            draws=tuple(self.draw(repetition) for repetition in repetitions),
            tests=tuple(tests),
            channels=tuple(channels),
            contents=self._contents(self.inputs.seen()),
        )

    def _task_texts(self, task: str, language: str) -> TaskTexts:
        keys = []
        for key, paths in self.inputs.files_of_task(task, language).items():
            keys += [key] * len(paths)
        entry = self.config.all_tasks[task]
        return TaskTexts(task=_named(entry), language=language, keys=tuple(keys))

    def rank(self, setting: str, system: str, repetition: int, task: str) -> RankStep:
        """A system's ranks in a task."""
        entry = self.config.systems[system]
        own_module = None
        if entry.is_own:
            own_module = entry.module
        return RankStep(
            setting=setting,
            system=system,
            repetition=repetition,
            situation=self._situation(setting),
            task=_named(self.config.tasks[task]),
            own_module=own_module,
            search=_of_fields(SearchOptions, self.config.evaluation),
            seed=self.config.draw_seed(repetition),
        )

    def rows(self, look: str) -> list[Row]:
        """Return the rows of the matrix, or those of a first look."""
        if look:
            return self._first_look
        return self.config.matrix

    def scores(self, look: str) -> ScoresStep:
        """Figures of merit of all ranks."""
        fits = [(row.setting.name, row.system, row.task) for row in self.rows(look)]
        return ScoresStep(
            metrics=shown.metrics(self.config),
            curve=self.config.evaluation.curve,
            seed=self.config.seed,
            fits=tuple(fits),
        )

    def report(self, look: str) -> ReportStep:
        """Tables and figures."""
        return ReportStep(
            facts=shown.facts(self.config, self.rows(look)),
            configuration=self.config.plain(),
            is_explored=bool(self.explored) and not look,
        )

    @cached_property
    def explored(self) -> str | None:
        """The setting whose results can be explored: the joint one, or the only one with text."""
        if not self.config.corpus.part.has_text:
            return None
        rows = [row for row in self.config.matrix if row.task == DOCUMENTS_TASK]
        settings = {row.setting.name for row in rows}
        if "joint" in settings:
            return "joint"
        if len(settings) == 1:
            return settings.pop()
        return None

    # what steps are made of

    def _situation(self, setting: str) -> Situation:
        """Return who trains and what is searched, but not by which systems and for which tasks."""
        return _of_fields(Situation, self.config.setting_by_name[setting])

    def _tokens(self) -> TokenRules:
        return _of_fields(TokenRules, self.config.bags)

    def _contents(self, inputs: NamedPaths) -> tuple[str | None, ...]:
        """Return the checksums of those inputs that are the user's."""
        users = self.inputs.users_files(inputs)
        return tuple(self._checksum(path) for path in users)


def _of_fields(kind: type[ModelT], source: Any) -> ModelT:
    """Return a model whose fields are those of something that has more of them."""
    return kind(**{name: getattr(source, name) for name in kind.model_fields})


def _named(entry: Entry) -> NamedPart:
    """Return the part of an entry by its name, or with the fingerprint of one's own module."""
    code = None
    if entry.is_own:
        code = fingerprint(entry.source)
    return NAMED[entry.kind](entry=entry.name, module=entry.module, code=code, part=entry.part)
