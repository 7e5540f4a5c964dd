"""The options for the search in the configuration section `evaluation`."""

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from cr5.contracts.keys import Section

NEAREST = 10
"""Candidates of each query that ranks keep by name, best first."""
Name = Literal[
    "cosine", "csls", "inverted_softmax", "globally_corrected", "dot", "l1", "jensen_shannon"
]


class SearchOptions(Section):
    """By what candidates are ordered, and how hubness is corrected."""

    measures: Annotated[tuple[Name, ...], Field(min_length=1)] = ("cosine", "csls")
    """By what candidates are ordered; of a system those apply that fit its rows, or all that do
    where none of these does."""
    csls_neighbours: PositiveInt = 10
    """K of CSLS."""
    csls_neighbourhood: Literal["candidates", "queries", "training"] = "candidates"
    """Where a candidate's neighbours are: among all `candidates` of the query language; among the
    `queries` only, as in the authors' code; or among the `training` documents of that language,
    which models then keep, so that one query is corrected as many are. For every correction of
    hubs; `globally_corrected` takes the queries and 5,000 of them."""
    inverse_temperature: Annotated[float, Field(gt=0, le=500)] = 30.0
    """Beta of the inverted softmax; MUSE has 30, Smith et al. 10."""
    run_depth: NonNegativeInt = 0
    """Candidates of each query, best first, in the TREC run files of `runs/`, ten at least; 0: no
    files."""


SEARCH = SearchOptions()
