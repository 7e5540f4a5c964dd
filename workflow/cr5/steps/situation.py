"""What one model trains on and searches, as several steps are made with it."""

from pydantic import BaseModel, ConfigDict

from cr5.splits.options import Cut, Pair


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
