"""What one model trains on and searches, as several steps are made with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from cr5.contracts.step import Paths
from cr5.splits.options import Cut, Pair

if TYPE_CHECKING:
    from cr5.counts.bags import Bags


class Situation(BaseModel):
    """A setting without its name, its systems and its tasks, which change no result of one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    series: str
    """Its key in the configuration."""
    kind: str
    """Such as `joint`."""
    languages: tuple[str, ...]
    """That train together, in alphabetical order."""
    pairs: tuple[Pair, ...]
    """That are searched; unordered, each in alphabetical order."""
    cut: Cut | None
    """What is removed of a pair's shared concepts before training."""

    def bags(self, inputs: Paths) -> Iterator[tuple[str, Bags]]:
        """Yield the `bags` of each language, with its `texts` if a job reads them."""
        from cr5.counts import bags

        texts_of = inputs.by(self.languages, "texts")
        for language, folder in inputs.by(self.languages, "bags").items():
            yield language, bags.load(folder, language, texts_of.get(language))
