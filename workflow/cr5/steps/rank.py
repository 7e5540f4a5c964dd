"""Rank the queries of one task with one fitted system, in all directions."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cr5.base.artefacts import Job
from cr5.base.errors import LeftOutError
from cr5.contracts.catalogue import load_module
from cr5.contracts.step import Paths, Step
from cr5.search.options import SearchOptions
from cr5.steps.parts import NamedTask
from cr5.steps.situation import Situation

if TYPE_CHECKING:
    from cr5.contracts.model import Model
    from cr5.search.ranking import Found

log = logging.getLogger(__name__)


class RankStep(Step):
    """Rank the queries of one task with one fitted system, in all directions."""

    setting: str
    system: str
    repetition: int
    situation: Situation
    task: NamedTask
    own_module: str | None
    """The path of the system's own module, which may have a class of models."""
    search: SearchOptions
    seed: int

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `ranks` from `model`, `draw`, `bags` and, as the task has them, its own files.

        These are `data`, `tables`, and `others`: its texts in languages that the setting lacks.
        """
        from cr5.models.encoders.kept import ENCODED
        from cr5.scores import ranks

        keys = {
            "setting": self.setting,
            "system": self.system,
            "repetition": self.repetition,
            "task": self.task.entry,
            "series": self.situation.series,
            "kind": self.situation.kind,
        }
        output = outputs.first()
        try:
            model = self._model(inputs.one("model"))
            model = model.keeping_rows(job.results.parent / ENCODED)
            rankings = self._rankings(model, inputs, threads)
            for ranking in ranks.write(output, keys, rankings, job):
                _tell(ranking)
            for sentence in ranks.read_told(output):
                log.warning("%s", sentence)
        except LeftOutError as error:
            ranks.leave_out(output, keys, str(error), job)
            log.warning("left out: %s", error)

    def _model(self, folder: Path) -> Model:
        from cr5.models import store

        classes = ()
        if self.own_module:
            classes = store.classes_in(load_module(Path(self.own_module)))
        names = {"setting": self.setting, "system": self.system}
        return store.load(folder, classes, repetition=str(self.repetition), **names)

    def _rankings(self, model: Model, inputs: Paths, threads: int) -> Iterable[Found]:
        """Return the ranks of each search of the task, one after the other."""
        from cr5.scores.ranking import rank_all
        from cr5.splits.draw import Draw
        from cr5.tasks import texts
        from cr5.tasks.base import Data

        languages = self.situation.languages
        texts_of = {}
        for language, folder in inputs.by(languages, "data").items():
            texts_of[language] = texts.load(folder, language=language)
        tables: dict[str, Any] = {}
        if inputs.all("tables"):
            tables = texts.load(inputs.one("tables"), task=self.task.entry)
        searched = Data.of_model(
            model,
            self.situation.bags(inputs),
            drawn=Draw.load(inputs.one("draw")),
            texts=texts_of,
            tables=tables,
            pairs=self.situation.pairs,
            elsewhere=self._ids_elsewhere(inputs.all("others")),
            seed=self.seed,
        )
        searches = self.task.part.searches(searched, languages, "test")
        return rank_all(searches, model, self.search.measures, self.search, threads)

    def _ids_elsewhere(self, folders: Iterable[Path]) -> dict[str, set[str]]:
        """Return the ids of the task's own texts in languages that the setting lacks, by name."""
        from cr5.tasks import texts

        ids_by_name: dict[str, set[str]] = {}
        for folder in folders:
            for name, ids in texts.ids(folder, task=self.task.entry).items():
                ids_by_name.setdefault(name, set()).update(ids)
        return ids_by_name


def _tell(ranking: Found) -> None:
    """Log the Success@1 of a direction."""
    answers = ranking.answers
    n_found = answers.loc[answers["rank"] == 1, "query"].nunique()
    log.info(
        "%s-%s %s: Success@1 %.3f",
        ranking.query_language,
        ranking.target_language,
        ranking.similarity,
        n_found / len(ranking.queries),
    )
