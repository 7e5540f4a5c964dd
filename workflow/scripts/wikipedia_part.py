"""Make counted documents from one file of a dump, or a piece of it."""

from dataclasses import asdict

from cr5.base import console, sealed_json
from cr5.corpora.wikimedia.part import text_part
from cr5.corpora.wikimedia.selection import Selection
from cr5.counts.token_rules import TokenRules, tokens_of


def main() -> None:
    """Read pages, choose articles, strip their markup, count their words."""
    names, choosing = dict(snakemake.wildcards), snakemake.params.choosing
    with console.job(snakemake.log[0], f"part {names['file']} {names['piece']}"):
        counts = text_part(
            snakemake.input.file,
            choosing["product"],
            names["language"],
            snakemake.input.concepts,
            next(iter(snakemake.output.documents), None),
            snakemake.output.counts,
            Selection.from_config(choosing),
            (int(names["piece"]), snakemake.params.pieces),
            tokens_of(TokenRules(**snakemake.params.tokens), [names["language"]]),
        )
        sealed_json.write(snakemake.output.summary, asdict(counts))


main()
