"""One file of a dump, or a piece of it, to counted documents."""

from dataclasses import fields

from cr5.base import console
from cr5.corpora.wikimedia.part import Selection, text_part
from cr5.corpora.wikimedia.settings import Settings


def main() -> None:
    """Read pages, choose articles, strip their markup, count their words."""
    names, choosing = dict(snakemake.wildcards), snakemake.params.choosing
    with console.job(snakemake.log[0], f"part {names['file']} {names['piece']}"):
        known = {field.name for field in fields(Selection)}
        counts = text_part(
            snakemake.input.file,
            Settings.from_config(choosing).product,
            names["language"],
            snakemake.input.concepts,
            next(iter(snakemake.output.documents), None),
            snakemake.output.counts,
            Selection(**{key: value for key, value in choosing.items() if key in known}),
            (int(names["piece"]), snakemake.params.pieces),
        )
        counts.save(snakemake.output.summary)


main()
