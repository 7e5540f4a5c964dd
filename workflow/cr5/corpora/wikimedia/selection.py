"""The configuration section `corpus` for the source wikipedia: which pages are documents."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any

from pydantic import AfterValidator, Field


def _regular_expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"a regular expression ({error})") from error
    return text


@dataclass(frozen=True)
class Selection:
    """Which pages are documents. By default all articles that have a concept.

    Attributes:
        namespaces: of pages; 0 is that of articles.
        redirects: whether pages that only point to another one are kept.
        disambiguation: whether pages that tell the meanings of a title apart are kept.
        exclude_titles: a regular expression; pages whose title begins so are dropped. Lists are
            kept unless it names them, as only their titles mark them.
        allow_truncated: use what a truncated file has, with a warning, instead of failing.
    """

    namespaces: Annotated[tuple[int, ...], Field(min_length=1)] = (0,)
    redirects: bool = False
    disambiguation: bool = False
    exclude_titles: Annotated[str, AfterValidator(_regular_expression)] = ""
    allow_truncated: bool = False

    @classmethod
    def from_config(cls, corpus: Mapping[str, Any]) -> "Selection":
        """Take the relevant keys of a validated section `corpus`."""
        return cls(**{x.name: corpus[x.name] for x in fields(cls) if x.name in corpus})
