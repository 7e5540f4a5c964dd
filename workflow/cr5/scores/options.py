"""The options for scores in the configuration section `evaluation`."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import AfterValidator, Field

from cr5.base.errors import UserError
from cr5.base.options import Section
from cr5.scores.metrics import known_for, parsed


def _known(name: str) -> str:
    try:
        parsed(name)
    except UserError as error:
        raise ValueError(f"one of {known_for(name)}") from error
    return name


Metrics = Annotated[list[Annotated[str, AfterValidator(_known)]], Field(min_length=1)]


@dataclass(frozen=True)
class ScoreOptions(Section):
    """By what ranks are scored, and how far curves go.

    Attributes:
        curve: largest k of the figures.
        metrics: of a task, in place of those it comes with, such as `{ad_hoc: [nDCG@20, R@1000]}`.
    """

    curve: Annotated[int, Field(ge=1)] = 100
    metrics: dict[str, Metrics] = field(default_factory=dict)
