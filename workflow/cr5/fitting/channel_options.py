"""The section `channels` of the configuration: text of one language alone."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from cr5.base.options import Section


@dataclass(frozen=True)
class ChannelOptions(Section):
    """Monolingual text, with or without relevance.

    Attributes:
        documents: the texts, with `{language}` in the path where each language has its own: JSON
            lines, TREC, or lines of id and text, as in the task `ad_hoc`.
        queries: texts for which some of the documents are relevant, such as titles or what was
            asked; of the same layouts. None: there are only documents.
        qrels: which documents are relevant for which queries, such as those clicked on; needed
            with `queries`, one file for all languages.
        languages: that have a channel; none for all.
        codes: what the files call a language.
        train_vectors: whether word vectors are trained on the documents too.
    """

    documents: Annotated[str, Field(min_length=1, description="a path")]
    queries: str = ""
    qrels: str = ""
    languages: list[str] | None = None
    codes: dict[str, str] = field(default_factory=dict)
    train_vectors: bool = False
