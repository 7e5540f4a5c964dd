"""Make counted documents from one file of a dump."""

from dataclasses import asdict

from cr5.base import console, sealed_json
from cr5.corpora.wikimedia.part import text_part
from cr5.counts.token_rules import TokenRules, tokens_of


def main() -> None:
    """Read pages, choose articles, strip their markup, count their words."""
    names = dict(snakemake.wildcards)
    with console.job(snakemake.log[0], f"part {names['file']}"):
        counts = text_part(
            snakemake.input.file,
            names["language"],
            snakemake.input.concepts,
            next(iter(snakemake.output.documents), None),
            snakemake.output.counts,
            tokens_of(TokenRules(**snakemake.params.tokens), [names["language"]]),
        )
        sealed_json.write(snakemake.output.summary, asdict(counts))


main()
