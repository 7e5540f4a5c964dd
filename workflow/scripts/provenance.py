"""Record what made the results: configuration, versions, seed, machine and source files."""

from pathlib import Path

import yaml

from cr5.base import console, files, origin, provenance, sealed_json
from cr5.base.machine import installed, machine


def main() -> None:
    """Write the whole configuration, and run.json."""
    config = snakemake.params.config
    with console.job(snakemake.log[0], "provenance"):
        sources = {Path(path).stem: sealed_json.read(path) for path in snakemake.input.documents}
        source, _ = origin.read(snakemake.input.origin)
        about = {
            "seed": source.seed,
            "origin": origin.as_json(source),
            "versions": provenance.versions(),
            "machine": machine(),
            "installed": installed(),
            "sources": sources,
            "config": config,
        }
        sealed_json.write(snakemake.output.run, about)
        with files.atomic_file(snakemake.output.config) as path:
            path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")


main()
