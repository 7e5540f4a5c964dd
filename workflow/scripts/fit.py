"""Fit one system in one setting and repetition; or say why the data do not allow a model."""

from itertools import permutations, zip_longest
from pathlib import Path

from cr5.base.artefacts import Artefact
from cr5.base.catalogue import SYSTEMS, TASKS
from cr5.base.errors import LeftOutError
from cr5.base.job import job
from cr5.base.machine import kernels, versions
from cr5.counts import bags
from cr5.counts.rules import Rules, tokens_of
from cr5.fitting.choose import DOCUMENTS, Task
from cr5.fitting.fit import fit
from cr5.fitting.gathering import Extras, training_set
from cr5.fitting.options import TrainingOptions
from cr5.fitting.seeds import DICTIONARY, Seeds, seeds_of
from cr5.models import store
from cr5.models.encoders.kept import ENCODED
from cr5.splits import training_documents
from cr5.splits.draw import Draw
from cr5.tasks import texts
from cr5.texts import alignment


def training():
    """Gather what the system may see."""
    of = {"setting": names.setting, "repetition": names.repetition}
    if reason := Artefact(read.trained, training_documents.KIND, **of).left_out:
        raise LeftOutError(reason)
    folders = zip_longest(languages, read.bags, read.texts)
    extras = Extras(
        vectors=dict(zip(languages, read.vectors, strict=False)),
        alignments=alignments(),
        channels={Path(folder).name: folder for folder in read.channels},
        judgements=next(iter(read.judgements), None),
        files=files_of_system(),
        seeds=seeds(),
        encoded=Path(snakemake.config["results"], ENCODED),
        task=validation_task(),
    )
    options = {key: made_with[key] for key in TrainingOptions.model_fields}
    return training_set(
        TrainingOptions(**options),
        ((language, bags.load(folder, language, file)) for language, folder, file in folders),
        Draw.load(read.draw),
        training_documents.load(read.trained),
        extras,
        made_with["pairs"],
        "counts" in made_with["needs"],
        snakemake.threads,
    )


def files_of_system():
    """Return the system's own files, by language and key."""
    files = {}
    for (language, key), path in zip(made_with["files"], read.files, strict=True):
        files.setdefault(language, {})[key] = path
    return files


def alignments():
    """Return the word translation table of each directed pair."""
    found = dict(zip(permutations(languages, 2), read.alignments, strict=False))
    if not made_with["alignments_are_made"]:
        return found
    kind, files = alignment.KIND, alignment.FILES
    return {(x, y): Artefact(path, kind).file(files[x > y]) for (x, y), path in found.items()}


def validation_task():
    """Return the task whose searches choose hyperparameters."""
    if not (task := made_with["validation_task"]):
        return DOCUMENTS
    data = zip(languages, read.data, strict=False)
    found = {x: texts.load(path, language=x) for x, path in data}
    made = {}
    if read.tables:
        training, own = read.tables
        entries = texts.load(training, task=DICTIONARY)["entries"]
        made = texts.load(own) | {DICTIONARY: entries}
    return Task(TASKS.part(*task), found, made)


def seeds():
    """Return word pairs to start from, and words in tests, if the system needs them."""
    if "seeds" not in made_with["needs"]:
        return Seeds()
    read_for = zip(made_with["seeds"], read.seeds, strict=True)
    entries = {x: texts.load(y, task=x)["entries"] for x, y in read_for}
    return seeds_of(entries.pop(DICTIONARY, None), entries.values())


with job(snakemake) as (this_job, log):
    made_with, read = snakemake.params.made_with, snakemake.input
    names, languages, output = snakemake.wildcards, made_with["languages"], snakemake.output[0]
    about = {
        **names,
        **{key: made_with[key] for key in ("corpus", "languages", "options", "seed")},
        "csls_neighbours": made_with["csls_neighbours"],
        "tokens": tokens_of(Rules(**made_with["bags"]), languages, read.stop_words).as_json(),
        "versions": versions(),
        "processor": {"choice": made_with["processor"], "kernels": kernels()},
    }
    try:
        system = SYSTEMS.part(names.system, made_with["options"])
        rerank = made_with["options"].get("rerank", ())
        fitted = fit(system, training(), rerank, made_with["csls_neighbours"] > 0)
        store.save(output, fitted.model, about | {"fit": fitted.report}, this_job)
        for warning in fitted.report.get("warnings", []):
            log.warning("%s", warning)
    except LeftOutError as error:
        store.leave_out(output, str(error), about, this_job)
        log.warning("left out: %s", error)
