"""Choose the training documents of one setting, and count what its languages share."""

import logging

from cr5.base.artefacts import Job
from cr5.base.errors import LeftOutError
from cr5.contracts.step import Paths, Step
from cr5.splits.options import Sizes
from cr5.steps.situation import Situation

log = logging.getLogger(__name__)


class SettingStep(Step):
    """Choose the training documents of one setting, and count what its languages share."""

    setting: str
    repetition: int
    situation: Situation
    splits: Sizes
    seed: int

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `setting` from the `bags` of its languages and the `draw`."""
        import pandas as pd

        from cr5.counts import bags
        from cr5.splits import training_documents
        from cr5.splits.draw import Draw
        from cr5.splits.training_documents import NO_TRAINING, sizes_by_pair, training

        situation = self.situation
        concepts = {}
        for language, folder in inputs.by(situation.languages, "bags").items():
            table = bags.read_documents(folder, language, ["concept"])
            concepts[language] = pd.Index(table["concept"])
        drawn = Draw.load(inputs.one("draw"))
        left_out = None
        try:
            trained = training(
                concepts, drawn, self.splits, situation.pairs, situation.cut, self.seed
            )
        except LeftOutError as error:
            trained = NO_TRAINING
            left_out = str(error)
            log.warning("left out: %s", left_out)
        shared = sizes_by_pair(trained, concepts, drawn, situation.pairs)
        log.info("\n%s", shared.to_string(index=False))
        job.say(f"{trained['concept'].nunique():,} concepts train")
        shared = shared.assign(
            setting=self.setting,
            series=situation.series,
            kind=situation.kind,
            repetition=self.repetition,
        )
        names = {"setting": self.setting, "repetition": str(self.repetition)}
        training_documents.save(outputs.first(), trained, shared, left_out, job, **names)
