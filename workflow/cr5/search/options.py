"""What the section `evaluation` of the configuration says of the search."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

Name = Literal["cosine", "csls", "inverted_softmax", "globally_corrected", "dot", "l1"]


@dataclass(frozen=True)
class SearchOptions:
    """By what candidates are ordered, and how hubness is corrected.

    Attributes:
        measures: names in `search.measures`; of a system those are taken that fit its rows, or all
            that do where none of these does.
        csls_neighbours: k of CSLS.
        csls_neighbourhood: `candidates` takes a candidate's neighbours among all candidates of
            the query language, `queries` among the queries only, as the authors' code does. Other
            corrections of hubs go by the same neighbours.
        inverse_temperature: beta of the inverted softmax; MUSE's 30, Smith et al. have 10.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    measures: Annotated[tuple[Name, ...], Field(min_length=1)] = ("cosine", "csls")
    csls_neighbours: Annotated[int, Field(ge=1)] = 10
    csls_neighbourhood: Literal["candidates", "queries"] = "candidates"
    inverse_temperature: Annotated[float, Field(gt=0, le=500)] = 30.0
