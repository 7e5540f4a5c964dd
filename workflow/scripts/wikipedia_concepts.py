"""The table page_props of one language to concepts by page id."""

import json
from dataclasses import asdict

from cr5.base import console, files
from cr5.corpora.wikimedia.concepts import concepts


def main() -> None:
    """Write the table and its counts."""
    with console.job(snakemake.log[0], f"concepts {snakemake.wildcards.language}") as log:
        counts = concepts(snakemake.input.table[0], snakemake.output.concepts)
        log.info("%s", counts)
        with files.atomic_file(snakemake.output.counts) as path:
            path.write_text(json.dumps(asdict(counts), indent=2) + "\n", encoding="utf-8")


main()
