"""Fit one system in one setting and repetition."""

from dataclasses import replace
from itertools import permutations, zip_longest
from pathlib import Path

from cr5.base import console, csv_files, origin, provenance
from cr5.base.artefacts import check_consistent
from cr5.base.errors import LeftOutError
from cr5.base.machine import kernels
from cr5.base.parts import SYSTEMS, TASKS
from cr5.base.tables import load_csv
from cr5.counts import bags
from cr5.counts.rules import Rules, tokens_of
from cr5.fitting.choose import DOCUMENTS, Task
from cr5.fitting.contract import TrainingSet
from cr5.fitting.fit import fit
from cr5.fitting.seeds import SECTION, seeds_of
from cr5.models import store
from cr5.splits import settings
from cr5.splits.drawn import Draw
from cr5.tasks import tables, texts


def main() -> None:
    """Write the model, and fit.json with its origin; or why the data do not allow a model."""
    params, read, names = snakemake.params, snakemake.input, dict(snakemake.wildcards)
    made_with = params.made_with
    with console.job(snakemake.log[0], " ".join(["fit", *names.values()])) as log:
        about = {
            **names,
            "corpus": params.corpus,
            "languages": made_with["languages"],
            "options": made_with["options"],
            "seed": made_with["seed"],
            "tokens": tokens_of(Rules(**made_with["bags"]), made_with["languages"]).as_json(),
            "versions": provenance.versions(),
            "processor": {"choice": made_with["processor"], "kernels": kernels()},
            "data": {
                "trained": provenance.files([read.trained]),
                "files": provenance.files(read.files),
                "alignments": provenance.files(read.alignments),
            },
            "origin": origin.as_json(source()),
        }
        artefacts = [read.draw, read.trained, *read.vectors, *read.seeds, *read.data]
        artefacts += [*read.channels, *read.tables]
        depends_on = check_consistent([*read.bags, *artefacts])
        try:
            system = SYSTEMS.part(names["system"], made_with["options"])
            rerank = made_with["options"].get("rerank", ())
            fitted = fit(system, training(), rerank, keeps_documents())
        except LeftOutError as error:
            store.leave_out(snakemake.output[0], str(error), about)
            log.warning("left out: %s", error)
            return
        store.save(snakemake.output[0], fitted.model, about | {"fit": fitted.report}, depends_on)
        for warning in fitted.report.get("warnings", []):
            log.warning("%s", warning)


def source():
    """Return the model's origin."""
    made_with = snakemake.params.made_with
    own = tuple(kernels()) if made_with["processor"] == "own" else ()
    return replace(origin.read(snakemake.input.draw)[0].then(made_with), own=own)


def keeps_documents():
    """Return whether the model keeps its training documents."""
    return snakemake.params.made_with.get("keeps_documents", False)


def training():
    """Gather what the system may see."""
    params, read, names = snakemake.params, snakemake.input, snakemake.wildcards
    made_with, languages = params.made_with, params.made_with["languages"]
    trained = settings.load(read.trained, setting=names.setting, repetition=names.repetition)
    if params.alignments_are_made:
        for path in read.alignments:
            csv_files.check(path)
    if trained.empty:
        raise LeftOutError(load_csv(read.pairs)["left_out"].iloc[0])
    found = zip_longest(languages, read.bags, read.texts)
    return TrainingSet.of(
        made_with,
        ((language, bags.load(folder, language, file)) for language, folder, file in found),
        Draw.load(read.draw),
        trained,
        snakemake.threads,
        vectors=dict(zip(languages, read.vectors, strict=False)),
        alignments=dict(zip(permutations(languages, 2), read.alignments, strict=False)),
        channels={Path(x).name: x for x in read.channels},
        judgements=next(iter(read.judgements), None),
        files=own_files(),
        seeds=seeds(),
        task=validation_task(),
    )


def validation_task():
    """Return the task whose searches choose hyperparameters."""
    made_with = snakemake.params.made_with
    if not (task := made_with["validation_task"]):
        return DOCUMENTS
    read = zip(made_with["languages"], snakemake.input.data, strict=False)
    found = {x: texts.load(path, language=x) for x, path in read}
    made = {}
    if snakemake.input.tables:
        training, own = snakemake.input.tables
        made = tables.load(own) | {SECTION: tables.load(training, task=SECTION)["entries"]}
    return Task(TASKS.part(task["name"], task["options"]), found, made)


def seeds():
    """Return word pairs to start from, and words in tests; None unless the system needs them."""
    made_with, read = snakemake.params.made_with, snakemake.input
    if "seeds" not in made_with["needs"]:
        return None
    read_for = zip(made_with["seeds"], read.seeds, strict=True)
    entries = {x: tables.load(y, task=x)["entries"] for x, y in read_for}
    return seeds_of(entries.pop(SECTION, None), entries.values())


def own_files():
    """Return the system's own files by language and option."""
    files = {}
    named = snakemake.params.made_with["files"]
    for (language, option, *_), path in zip(named, snakemake.input.files, strict=True):
        files.setdefault(language, {})[option] = path
    return files


main()
