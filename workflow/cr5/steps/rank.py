"""The queries of one task are ranked with one fitted system, in all directions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cr5.base.artefacts import Job
from cr5.base.errors import LeftOutError
from cr5.search.options import SearchOptions
from cr5.steps.contract import Inputs, Paths, Step, TaskChoice
from cr5.steps.setting import Situation

if TYPE_CHECKING:
    from cr5.models.contract import Model
    from cr5.tasks.ranking import Ranked


class RankInputs(Inputs):
    """The model; bags, and texts where the system embeds these; the task's data and tables."""

    bags: Paths
    draw: Path
    model: Path
    texts: Paths = ()
    data: Paths = ()
    tables: Paths = ()


class RankStep(Step):
    """A system's ranks in a task."""

    setting: str
    system: str
    repetition: int
    task: str  # its name in the configuration
    situation: Situation
    choice: TaskChoice
    module: str | None  # the user's own of the system, which may have a class of models
    search: SearchOptions
    seed: int

    def run(self, inputs: RankInputs, output: Path, job: Job) -> None:
        """Rank; or say why there are no ranks."""
        from cr5.base.catalogue import load_module
        from cr5.models import store
        from cr5.scores import ranks

        keys = {
            "setting": self.setting,
            "system": self.system,
            "repetition": self.repetition,
            "task": self.task,
            "series": self.situation.series,
            "kind": self.situation.kind,
        }
        subject = {
            "setting": self.setting,
            "system": self.system,
            "repetition": str(self.repetition),
        }
        classes = store.classes_in(load_module(Path(self.module))) if self.module else ()
        try:
            model = store.load(inputs.model, classes, **subject)
            for ranked in ranks.write(output, keys, self._ranked(model, inputs, job), job=job):
                hits = ranked.answers.loc[ranked.answers["rank"] == 1, "query"].nunique()
                share = hits / len(ranked.queries)
                job.log.info(
                    "%s-%s %s: Success@1 %.3f",
                    ranked.query,
                    ranked.target,
                    ranked.similarity,
                    share,
                )
        except LeftOutError as error:
            ranks.leave_out(output, keys, str(error), job=job)
            job.log.warning("left out: %s", error)

    def _ranked(self, model: Model, inputs: RankInputs, job: Job) -> Iterator[Ranked]:
        """Yield the ranks of each search of the task."""
        from cr5.counts import bags
        from cr5.splits.draw import Draw
        from cr5.tasks import texts
        from cr5.tasks.base import Data
        from cr5.tasks.ranking import rank_all

        languages = self.situation.languages
        documents = inputs.texts or [None] * len(languages)
        folders = zip(languages, inputs.bags, documents, strict=True)
        data = Data.of_model(
            model,
            ((language, bags.load(folder, language, text)) for language, folder, text in folders),
            drawn=Draw.load(inputs.draw),
            texts={
                language: texts.load(folder, language=language)
                for language, folder in zip(languages, inputs.data, strict=False)
            },
            tables=texts.load(inputs.tables[0], task=self.task) if inputs.tables else {},
            pairs=self.situation.pairs,
            seed=self.seed,
        )
        searches = self.choice.part.searches(data, languages, "test")
        return rank_all(searches, model, self.search.measures, self.search, job.threads)
