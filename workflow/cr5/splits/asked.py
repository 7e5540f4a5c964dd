"""Queries that a configuration names, by the concept or the title of a document."""

import pandas as pd


def concept_of(titles: pd.Series, named: str) -> str | None:
    """Return the concept that is named so, or whose title is, in upper or lower case; or none.

    Titles are those of a language, by concept; of equal titles the first counts.
    """
    if named in titles.index:
        return named
    is_named = titles.str.casefold() == named.casefold()
    concepts = titles.index[is_named]
    return None if concepts.empty else concepts[0]
