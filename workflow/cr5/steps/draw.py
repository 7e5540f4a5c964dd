"""Queries and candidates are drawn, once for all settings."""

from __future__ import annotations

from pathlib import Path

from cr5.base.artefacts import Job
from cr5.base.errors import UserError
from cr5.splits.options import Pair, Sizes
from cr5.steps.contract import Inputs, Paths, Step


class DrawInputs(Inputs):
    """The bags of all languages; the user's own split, if there is one."""

    bags: Paths
    given: Paths = ()


class DrawStep(Step):
    """Queries and candidates of one repetition."""

    languages: tuple[str, ...]  # in alphabetical order, as the bags
    pairs: tuple[Pair, ...]
    splits: Sizes
    seed: int

    def run(self, inputs: DrawInputs, output: Path, job: Job) -> None:
        """Draw, and refuse a draw in which a pair lacks queries."""
        from cr5.counts import bags
        from cr5.splits.draw import draw

        documents = {
            language: bags.read_documents(folder, language, ["concept", "n_unique"])
            for language, folder in zip(self.languages, inputs.bags, strict=True)
        }
        drawn = draw(documents, self.pairs, self.splits, self.seed)
        if reason := drawn.lacking(self.pairs, self.splits):
            raise UserError(f"In the whole corpus {reason}")
        job.log.info("\n%s", drawn.pairs.to_string(index=False))
        drawn.save(output, job=job)
