import os
import re
import sys
from dataclasses import asdict
from functools import cache

# Snakemake starts scripts by this name without quoting it; ./run puts .venv first on the PATH.
if " " in sys.executable:
    sys.executable = "python"

from cr5.base import job as jobs
from cr5.base import processor
from cr5.texts.fetch import as_folder
from cr5.explore.setting import TASK as EXPLORED_TASK
from cr5.explore.setting import setting_of
from cr5.base.parts import PACKAGE, SOURCES, SYSTEMS, TASKS
from cr5.plan import files, resources, shown
from cr5.plan import config as configuration
from cr5.plan.code import fingerprint, share_with_subprocesses
from cr5.plan.changes import Checksums
from cr5.plan.matrix import (
    draw_seed,
    main_task,
    matrix,
    quick,
    row_of,
    searched_pairs,
    seed_of,
)
from cr5.plan.matrix import settings as settings_of

share_with_subprocesses()
jobs.planning()

try:
    config = configuration.validated(config)
    RESULTS = f"{config['results']}/{config['corpus']['name']}"
except UserError as error:
    named = ", ".join(map(str, workflow.overwrite_configfiles or [DEFAULT]))
    raise WorkflowError(f"{named}: {error}")

# Each job is started by a process that has read this, on the machine where it runs.
processor.limit(config["processor"])

SOURCE = SOURCES.source("corpus", config["corpus"])
TEXT = configuration.source(config)
LANGUAGES = config["languages"]
SETTINGS = settings_of(config)
MATRIX = matrix(config)
REPETITIONS = range(1, config["repetitions"] + 1)
# The task of Table 1 and the figures, and the only one of a first look.
MAIN = main_task(config)
FIRST_LOOK = quick(MATRIX, MAIN, resources.needing_little(config))

# Results can be explored if there is text.
HAS_TEXT = TEXT.has_text
EXPLORED = setting_of(
    {row.setting.name for row in MATRIX if row.task == EXPLORED_TASK and HAS_TEXT}
)

# What every source makes: documents, and bags of words.
DOCUMENTS = f"{RESULTS}/documents/{{language}}"
BAGS = f"{RESULTS}/bags/{{language}}"

# Word vectors: given ones, or trained on what each repetition leaves.
VECTORS_ARE_GIVEN = "path" in config["vectors"]
VECTORS = f"{RESULTS}/vectors/{{language}}/" + (
    "given" if VECTORS_ARE_GIVEN else "{repetition}"
)
VOCABULARY = VECTORS if config["bags"]["vocabulary"] == "vectors" else []

# Text of one language alone, for those that have any.
CHANNEL = f"{RESULTS}/channels/{{language}}"

# How texts become words, wherever they are read.
TOKENS = {x: config["bags"][x] for x in ("case", "tokens", "stop_words", "stemmer")}

# What a source makes beyond that; parallel paragraphs, if it has them.
EXTRA = []
PARAGRAPHS = ""


wildcard_constraints:
    language="|".join(LANGUAGES),
    setting="|".join(map(re.escape, SETTINGS)),
    system="|".join(map(re.escape, config["systems"])),
    task="|".join(map(re.escape, config["tasks"])),
    repetition=r"\d+",


def requested(job):
    """Return the memory and time that a rule requests; more when a profile tries it again."""
    return {
        "mem_mb": lambda w, attempt: attempt * request(job, w).memory_mb,
        "runtime": lambda w, attempt: attempt * request(job, w).minutes,
    }


def request(job, wildcards):
    """Return what a rule's job requests from a cluster."""
    return resources.of(job, config, wildcards)


@cache
def code(script):
    """Return the fingerprint of a script and its modules: as a parameter, it reruns the rule.

    Rules get it by a function: a process that runs one job computes only that job's.
    """
    return fingerprint(WORKFLOW / "scripts" / script)


CHECKSUMS = Checksums()


def content(path):
    """Return the checksum of an external input: as a parameter, it reruns the rule.

    The input itself is `ancient`, as its date means nothing: it may be newer but unchanged, or
    older and changed.
    """
    try:
        return CHECKSUMS.of(path)
    except UserError as error:
        raise WorkflowError(str(error))


def stop_words(wildcards):
    """Return checksums of a language's stop words; none if no file has any."""
    return [content(path) for path in files.stop_words(config, [wildcards.language])]


def refuse(mistakes):
    """Stop before any job if there are mistakes in what files are named."""
    if mistakes:
        there = f"Relative paths start at {Path.cwd()}."
        raise WorkflowError("\n".join([*mistakes, there]))


def require(path, key):
    """Stop before any job if a file that the configuration names is missing."""
    refuse([] if Path(path).is_file() else [f"{key}: there is no file {path}."])


def source_of(section, name):
    """Return the file of a system or a task."""
    kind = SYSTEMS if section == "systems" else TASKS
    return kind.source(name, config[section][name])


def languages_of(setting):
    """Return the languages of a setting, in alphabetical order."""
    return list(SETTINGS[setting].languages)


def cut_of(setting):
    """Return what is removed from the training documents of a setting, None for nothing."""
    cut = SETTINGS[setting].cut
    return cut and asdict(cut)


def of_languages(pattern):
    """Return a function from wildcards to one file for each language of the setting."""
    return lambda wildcards: expand(
        pattern, language=languages_of(wildcards.setting), **wildcards
    )


def keys_of(wildcards):
    """Return the columns that this job's artefact carries."""
    return row_of(MATRIX, **wildcards).keys
