"""Fit one system in one setting and repetition."""

from dataclasses import replace
from itertools import permutations

from cr5.base import console, csv_files, origin, provenance
from cr5.base.artefacts import check_consistent
from cr5.base.errors import LeftOutError
from cr5.base.machine import kernels
from cr5.base.modules import load_module
from cr5.base.tables import load_csv
from cr5.counts import bags
from cr5.fitting.fit import fit
from cr5.fitting.gather import training_set
from cr5.fitting.seeds import SECTION, seeds_of
from cr5.fitting.validation import DOCUMENTS, Task
from cr5.fitting.validation_options import ValidationOptions
from cr5.models import store
from cr5.splits import settings
from cr5.splits.draw import Draw
from cr5.tasks import tables, texts


def main() -> None:
    """Write the model, and fit.json with its origin; or why the data do not allow a model."""
    params, read, names = snakemake.params, snakemake.input, dict(snakemake.wildcards)
    with console.job(snakemake.log[0], " ".join(["fit", *names.values()])) as log:
        about = {
            **names,
            "corpus": params.corpus,
            "languages": params.languages,
            "options": params.options,
            "seed": params.seed,
            "versions": provenance.versions(),
            "processor": {"choice": params.processor, "kernels": kernels()},
            "data": {
                "trained": provenance.files([read.trained]),
                "files": provenance.files(read.files),
                "alignments": provenance.files(read.alignments),
            },
            "origin": origin.as_json(source()),
        }
        artefacts = [read.draw, read.trained, *read.vectors, *read.seeds, *read.data]
        depends_on = check_consistent([*read.bags, *artefacts])
        try:
            fitted = fit(load_module(read.system, "fit"), training(), params.options)
        except LeftOutError as error:
            store.leave_out(snakemake.output[0], str(error), about)
            log.warning("left out: %s", error)
            return
        store.save(snakemake.output[0], fitted.model, about | {"fit": fitted.report}, depends_on)
        for warning in fitted.report.get("warnings", []):
            log.warning("%s", warning)


def source():
    """Return the model's origin."""
    params = snakemake.params
    own = tuple(kernels()) if params.processor == "own" else ()
    return replace(origin.read(snakemake.input.draw)[0].then(params.made_with), own=own)


def training():
    """Gather what the system may see."""
    params, read, names = snakemake.params, snakemake.input, snakemake.wildcards
    trained = settings.load(read.trained, setting=names.setting, repetition=names.repetition)
    if params.alignments_are_made:
        for path in read.alignments:
            csv_files.check(path)
    if trained.empty:
        raise LeftOutError(load_csv(read.pairs)["left_out"].iloc[0])
    return training_set(
        {x: bags.load(folder, x) for x, folder in zip(params.languages, read.bags, strict=True)},
        Draw.load(read.draw),
        trained,
        params.term_frequency,
        params.seed,
        snakemake.threads,
        dict(zip(params.languages, read.vectors, strict=False)),
        dict(zip(permutations(params.languages, 2), read.alignments, strict=False)),
        "counts" in params.needs,
        ValidationOptions(**params.validation),
        own_files(),
        params.pairs,
        seeds(),
        validation_task(),
        params.idf,
    )


def validation_task():
    """Return the task whose searches choose hyperparameters."""
    params, read = snakemake.params, snakemake.input
    if not params.task:
        return DOCUMENTS
    found = {
        x: texts.load(f, language=x) for x, f in zip(params.languages, read.data, strict=False)
    }
    return Task(load_module(params.task, "searches").searches, params.task_options, found)


def seeds():
    """Return word pairs to start from, and words in tests; None unless the system needs them."""
    params, read = snakemake.params, snakemake.input
    if "seeds" not in params.needs:
        return None
    entries = {
        x: tables.load(y, task=x)["entries"] for x, y in zip(params.seeds, read.seeds, strict=True)
    }
    return seeds_of(entries.pop(SECTION, None), entries.values())


def own_files():
    """Return the system's own files by language and option."""
    files = {}
    for (language, option), path in zip(snakemake.params.files, snakemake.input.files, strict=True):
        files.setdefault(language, {})[option] = path
    return files


main()
