"""What the section `evaluation` of the configuration says of the search."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field


@dataclass(frozen=True)
class SearchOptions:
    """How hubness is corrected.

    Attributes:
        csls_neighbours: k of CSLS.
        csls_neighbourhood: `candidates` takes a candidate's neighbours among all candidates of
            the query language, `queries` among the queries only, as the authors' code does.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    csls_neighbours: Annotated[int, Field(ge=1)] = 10
    csls_neighbourhood: Literal["candidates", "queries"] = "candidates"
