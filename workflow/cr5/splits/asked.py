"""Queries that a configuration names, by the concept or the title of a document."""

import pandas as pd


def concept_of(titles: pd.Series, name: str) -> str | None:
    """Return the concept of a name, or else that of a title, in upper or lower case; None if none.

    Titles are those of a language, by concept; of equal titles the first counts.
    """
    if name in titles.index:
        return name
    folded_titles = titles.str.casefold()
    concepts = titles.index[folded_titles == name.casefold()]
    if concepts.empty:
        return None
    return concepts[0]
