"""The training documents of one setting are chosen."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from cr5.base.artefacts import Job
from cr5.base.errors import LeftOutError
from cr5.splits.options import Cut, Pair, Sizes
from cr5.steps.contract import Inputs, Paths, Step


class Situation(BaseModel):
    """Who trains and what is searched in a setting (Cr5, Sec. 4.2)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    series: str  # its key in the configuration; its settings are one row or curve in reports
    kind: str
    languages: tuple[str, ...]  # that train together, in alphabetical order
    pairs: tuple[Pair, ...]  # that are searched; unordered, each in alphabetical order
    cut: Cut | None = None  # what is removed of a pair's shared concepts before training


class SettingInputs(Inputs):
    """The bags of the setting's languages, and the draw."""

    bags: Paths
    draw: Path


class SettingStep(Step):
    """Who trains in a setting, and what each pair of its languages shares."""

    setting: str
    repetition: int
    situation: Situation
    splits: Sizes
    seed: int

    def run(self, inputs: SettingInputs, output: Path, job: Job) -> None:
        """Choose the documents; or say why nothing trains."""
        import pandas as pd

        from cr5.counts import bags
        from cr5.splits.draw import Draw
        from cr5.splits.training_documents import NO_TRAINING, save, sizes_by_pair, training

        situation = self.situation
        concepts = {}
        for language, folder in zip(situation.languages, inputs.bags, strict=True):
            documents = bags.read_documents(folder, language, ["concept"])
            concepts[language] = pd.Index(documents["concept"])
        drawn = Draw.load(inputs.draw)
        left_out = None
        try:
            trained = training(
                concepts, drawn, self.splits, situation.pairs, situation.cut, self.seed
            )
        except LeftOutError as error:
            trained = NO_TRAINING
            left_out = str(error)
            job.log.warning("left out: %s", left_out)
        shared = sizes_by_pair(trained, concepts, drawn, situation.pairs)
        job.log.info("\n%s", shared.to_string(index=False))
        keys = {
            "setting": self.setting,
            "series": situation.series,
            "kind": situation.kind,
            "repetition": self.repetition,
        }
        subject = {"setting": self.setting, "repetition": str(self.repetition)}
        save(output, trained, shared.assign(**keys), left_out, job=job, **subject)
