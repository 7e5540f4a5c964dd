# Where the parallel text of tasks is, and what is made of it.
from cr5.texts.parallel import is_remote, local
from cr5.plan.files import (
    bundles_of,
    is_of_corpus,
    is_made,
    readers,
    sentences_of,
)
from cr5.plan.files import bundle_of as bundle_with
from cr5.plan.words import TABLES

ALIGNED = f"{RESULTS}/aligned/{{task}}/{{bundle}}"

try:
    BUNDLES = {
        task: {x.name: x.places for x in bundles_of(config, task, PARAGRAPHS)}
        for task in readers(config)
    }
except UserError as error:
    raise WorkflowError(str(error))


# Known before the first job: a process that runs a single job has the whole list too.
for places in BUNDLES.values():
    for found in places.values():
        for place in found.values():
            if is_remote(place.file):
                fetched_from(place.file)


def aligned_of(task):
    """Return what was aligned for a task; empty for a task without parallel text."""
    return [
        ALIGNED.format(task=task, bundle=bundle) for bundle in BUNDLES.get(task, ())
    ]


def places_of(task, bundle):
    """Return where the sentences of a bundle are on this machine, by language."""
    found = BUNDLES[task][bundle]
    return {
        language: [
            (fetched_from(place.file) if is_remote(place.file) else local(place.file)),
            place.member,
            place.column,
        ]
        for language, place in found.items()
    }


def files_of_bundle(task, bundle):
    """Return the same files, each once: those of the workflow, and external ones."""
    every = dict.fromkeys(file for file, _, _ in places_of(task, bundle).values())
    made = [file for file in every if file.startswith(f"{RESULTS}/")]
    return made, [file for file in every if file not in made]


def content_of_bundle(task, bundle):
    """Return checksums of each language's external files, whatever the order of languages."""
    external = files_of_bundle(task, bundle)[1]
    found = sorted((x, file) for x, (file, *_) in places_of(task, bundle).items())
    return [[language, content(file)] for language, file in found if file in external]
