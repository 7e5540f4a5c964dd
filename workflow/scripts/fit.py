"""Fit one system in one setting and repetition."""

from itertools import permutations, zip_longest
from pathlib import Path

from cr5.base.artefacts import Artefact
from cr5.base.errors import LeftOutError
from cr5.base.job import job
from cr5.base.machine import kernels, versions
from cr5.base.parts import SYSTEMS, TASKS
from cr5.counts import bags
from cr5.counts.rules import Rules, tokens_of
from cr5.fitting.choose import DOCUMENTS, Task
from cr5.fitting.contract import TrainingSet
from cr5.fitting.fit import fit
from cr5.fitting.seeds import SECTION, seeds_of
from cr5.models import store
from cr5.splits import settings
from cr5.splits.drawn import Draw
from cr5.tasks import texts
from cr5.texts import alignment


@job
def main(log) -> None:
    """Write the model and how it was made; or why the data do not allow a model."""
    names, output = dict(snakemake.wildcards), snakemake.output[0]
    made_with = snakemake.params.made_with
    about = {
        **names,
        "corpus": made_with["corpus"],
        "languages": made_with["languages"],
        "options": made_with["options"],
        "seed": made_with["seed"],
        "tokens": tokens_of(Rules(**made_with["bags"]), made_with["languages"]).as_json(),
        "versions": versions(),
        "processor": {"choice": made_with["processor"], "kernels": kernels()},
    }
    try:
        system = SYSTEMS.part(names["system"], made_with["options"])
        rerank = made_with["options"].get("rerank", ())
        fitted = fit(system, training(), rerank, made_with["keeps_documents"])
    except LeftOutError as error:
        store.leave_out(output, str(error), about)
        log.warning("left out: %s", error)
        return
    store.save(output, fitted.model, about | {"fit": fitted.report})
    for warning in fitted.report.get("warnings", []):
        log.warning("%s", warning)


def training():
    """Gather what the system may see."""
    made_with, read, names = snakemake.params.made_with, snakemake.input, snakemake.wildcards
    languages = made_with["languages"]
    trained = settings.load(read.trained, setting=names.setting, repetition=names.repetition)
    if reason := settings.left_out(read.trained):
        raise LeftOutError(reason)
    found = zip_longest(languages, read.bags, read.texts)
    return TrainingSet.of(
        made_with,
        ((language, bags.load(folder, language, file)) for language, folder, file in found),
        Draw.load(read.draw),
        trained,
        snakemake.threads,
        vectors=dict(zip(languages, read.vectors, strict=False)),
        alignments=alignments(),
        channels={Path(x).name: x for x in read.channels},
        judgements=next(iter(read.judgements), None),
        files=own_files(),
        seeds=seeds(),
        task=validation_task(),
    )


def alignments():
    """Return the word translation table of each directed pair."""
    made_with = snakemake.params.made_with
    pairs = permutations(made_with["languages"], 2)
    found = dict(zip(pairs, snakemake.input.alignments, strict=False))
    if not made_with["alignments_are_made"]:
        return found
    kind, files = alignment.KIND, alignment.FILES
    return {(x, y): Artefact(path, kind).file(files[x > y]) for (x, y), path in found.items()}


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
        made = texts.load_tables(own) | {
            SECTION: texts.load_tables(training, task=SECTION)["entries"]
        }
    return Task(TASKS.part(*task), found, made)


def seeds():
    """Return word pairs to start from, and words in tests; None unless the system needs them."""
    made_with, read = snakemake.params.made_with, snakemake.input
    if "seeds" not in made_with["needs"]:
        return None
    read_for = zip(made_with["seeds"], read.seeds, strict=True)
    entries = {x: texts.load_tables(y, task=x)["entries"] for x, y in read_for}
    return seeds_of(entries.pop(SECTION, None), entries.values())


def own_files():
    """Return the system's own files by language and option."""
    files = {}
    named = snakemake.params.made_with["files"]
    for (language, option), path in zip(named, snakemake.input.files, strict=True):
        files.setdefault(language, {})[option] = path
    return files


if __name__ == "__main__":
    main(snakemake)
