"""Fit one system in one setting."""

import pandas as pd

from cr5.base import console, provenance
from cr5.counts import bags
from cr5.fitting import fit as fitting
from cr5.models import word_tables


def main() -> None:
    """Write the model: word tables, and fit.json that says what made it."""
    names = dict(snakemake.wildcards)
    languages, options = snakemake.params.languages, snakemake.params.options
    with console.job(snakemake.log[0], f"fit {names['setting']} {names['system']}") as log:
        training, weights = fitting.training_set(
            {x: bags.load(f) for x, f in zip(languages, snakemake.input.bags, strict=True)},
            pd.read_parquet(snakemake.input.split),
            snakemake.params.term_frequency,
            dict(zip(languages, snakemake.input.vectors, strict=False)),
            snakemake.params.seed,
            snakemake.threads,
        )
        system = fitting.load_system(snakemake.input.system)
        tables, report = fitting.fit(
            system, training, weights, snakemake.params.term_frequency, options
        )
        about = {
            **names,
            "corpus": snakemake.params.corpus,
            "options": options,
            "seed": snakemake.params.seed,
            "versions": provenance.versions(),
            "data": {"split": provenance.files([snakemake.input.split])},
            "fit": report,
        }
        word_tables.save(snakemake.output[0], tables, about)
        for warning in report.get("warnings", []):
            log.warning("%s", warning)


main()
