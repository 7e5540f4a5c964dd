"""The options for scores in the configuration section `evaluation`."""

from typing import Annotated

from pydantic import AfterValidator, Field

from cr5.base.errors import UserError
from cr5.base.parts import Section
from cr5.scores.metrics import known_for, parsed


def _known(name: str) -> str:
    try:
        parsed(name)
    except UserError as error:
        raise ValueError(f"one of {known_for(name)}") from error
    return name


Metrics = Annotated[list[Annotated[str, AfterValidator(_known)]], Field(min_length=1)]


class ScoreOptions(Section):
    """By what ranks are scored, and how far curves go."""

    curve: Annotated[int, Field(ge=1)] = 100
    """Largest k of the figures."""
    metrics: dict[str, Metrics] = Field(default_factory=dict)
    """Of a task, in place of those it comes with, such as `{ad_hoc: [nDCG@20, R@1000]}`."""
