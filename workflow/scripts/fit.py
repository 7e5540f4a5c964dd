"""Fit one system in one setting and repetition."""

from itertools import permutations

from cr5.base import console, provenance
from cr5.base.modules import load_module
from cr5.base.tables import read_parquet
from cr5.counts import bags
from cr5.fitting.fit import fit
from cr5.fitting.gather import training_set
from cr5.models import store
from cr5.splits.draw import Draw


def main() -> None:
    """Write the model, and fit.json that says what made it."""
    params, read, names = snakemake.params, snakemake.input, dict(snakemake.wildcards)
    with console.job(snakemake.log[0], " ".join(["fit", *names.values()])) as log:
        training = training_set(
            {x: bags.load(folder) for x, folder in zip(params.languages, read.bags, strict=True)},
            Draw.load(read.draw),
            read_parquet(read.trained),
            params.term_frequency,
            params.seed,
            snakemake.threads,
            dict(zip(params.languages, read.vectors, strict=False)),
            dict(zip(permutations(params.languages, 2), read.alignments, strict=False)),
            "counts" in params.needs,
        )
        fitted = fit(load_module(read.system, "fit"), training, params.options)
        about = {
            **names,
            "corpus": params.corpus,
            "languages": params.languages,
            "options": params.options,
            "seed": params.seed,
            "versions": provenance.versions(),
            "data": {"trained": provenance.files([read.trained])},
            "fit": fitted.report,
        }
        store.save(snakemake.output[0], fitted.model, about)
        for warning in fitted.report.get("warnings", []):
            log.warning("%s", warning)


main()
