"""The section `channels` of the configuration: text of one language alone."""

from typing import Annotated

from pydantic import Field

from cr5.base.parts import Section


class ChannelOptions(Section):
    """Monolingual text, with or without relevance."""

    documents: Annotated[str, Field(min_length=1)]
    """The texts, with `{language}` in the path where each language has its own: JSON lines, TREC,
    or lines of id and text, as in the task `ad_hoc`."""
    queries: str = ""
    """Texts for which some of the documents are relevant, such as titles or what was asked; of the
    same layouts. None: there are only documents."""
    qrels: str = ""
    """Which documents are relevant for which queries, such as those clicked on; needed with
    `queries`, one file for all languages."""
    languages: list[str] | None = None
    """That have a channel; none for all."""
    train_vectors: bool = False
    """Whether word vectors are trained on the documents too."""
