# The configuration, the plan, and what rules share.
import os
import re
import sys
from functools import cache, partial
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

# A checkout's package need not be installed: this process finds it here, and so do scripts. A module
# from a tag is no folder: it comes with no package, and uses the one that is installed.
WORKFLOW = Path(str(workflow.current_basedir)).resolve().parent
IS_CHECKOUT = WORKFLOW.is_dir()
if IS_CHECKOUT:
    sys.path.insert(0, str(WORKFLOW))
else:
    published = Path(workflow.source_path("../cr5/__init__.py")).read_text(
        encoding="utf-8"
    )
    VERSION = re.search(r'__version__ = "(.+)"', published)[1]
    try:
        import cr5
    except ModuleNotFoundError:
        raise WorkflowError(
            "a module from a tag needs the package where its jobs run: "
            f"pip install 'cr5[workflow]=={VERSION}'"
        )
    if cr5.__version__ != VERSION:
        raise WorkflowError(
            f"this workflow is of version {VERSION}, the package cr5 that is installed of "
            f"{cr5.__version__}: pip install 'cr5[workflow]=={VERSION}'"
        )
# Snakemake starts scripts by this name without quoting it; ./run puts .venv first on the PATH.
if " " in sys.executable:
    sys.executable = "python"

from cr5.base import job as jobs
from cr5.base import processor
from cr5.base.artefacts import ABOUT, outside
from cr5.base.errors import UserError
from cr5.contracts.keys import PACKAGE
from cr5.plan import config_files, resources
from cr5.plan.code import fingerprint
from cr5.plan.config import validated
from cr5.plan.contents import Contents
from cr5.plan.plan import LOOKS, QUICK, Plan
from cr5.plan.words import GivenVectors, MadeAlignments

jobs.planning()

# Also with --directory.
DEFAULT = Path("config/config.yaml")
if not DEFAULT.exists():
    DEFAULT = WORKFLOW.parent / DEFAULT
if not DEFAULT.exists():
    DEFAULT = Path(workflow.source_path("../../config/config.yaml"))

# A configuration file with a corpus is complete; any other changes keys of the default.
STANDS_ALONE = "corpus" in config and bool(workflow.overwrite_configfiles)
CONFIGURATION = list(workflow.overwrite_configfiles)
if not STANDS_ALONE:
    CONFIGURATION.append(DEFAULT)

try:
    for path in CONFIGURATION:
        config_files.read(path)
except UserError as error:
    raise WorkflowError(str(error))

if not STANDS_ALONE:

    configfile: str(DEFAULT)


# Each process reads this file; the one that plans writes the notes.
CONTENTS = Contents(Path(".snakemake/cr5_checksums"), workflow.is_main_process)

try:
    RUN = validated(config)
    PLAN = Plan(RUN, CONTENTS.checksum)
except UserError as error:
    files = workflow.overwrite_configfiles or [DEFAULT]
    raise WorkflowError(f"{', '.join(map(str, files))}: {error}")

config = RUN.plain()

# Each job is started by a process that has read this, on the machine where it runs.
processor.limit(RUN.processor)

PLACES = PLAN.places
INPUTS = PLAN.inputs
RESULTS = PLACES.results
TEXT = RUN.corpus.part
LANGUAGES = RUN.languages

LOGS = f"{RESULTS}/logs"
BENCHMARKS = f"{RESULTS}/benchmarks"
ENVIRONMENT = "../../envs/environment.yaml"


wildcard_constraints:
    language="|".join(LANGUAGES),
    setting="|".join(map(re.escape, RUN.setting_by_name)),
    system="|".join(map(re.escape, RUN.systems)),
    task="|".join(map(re.escape, RUN.all_tasks)),
    repetition=r"\d+",
    look=f"|{QUICK}",  # of all, or a first look at what takes little


# The user's files count by their content, which is a part of steps: snakemake compares no date of
# them. They are read while jobs are planned: one that cannot be read stops the run before any job.
def inputs_of(place):
    """Return a function to the inputs of a planned result, by name, the user's marked."""

    def inputs(wildcards):
        result = place.format(**wildcards)
        if result not in PLAN.results:
            raise WorkflowError(f"{result}: no setting of the configuration makes it")
        marked = {}
        for name, paths in PLAN.results[result].inputs().items():
            marked[name] = [
                path if PLACES.is_result(path) else ancient(path) for path in paths
            ]
        return marked

    return inputs


def expected(wildcards, input):
    """Return for each input the step that must have made it, or the checksum of a user's file.

    None for another file, such as one that was fetched. A job refuses what was made otherwise.
    This reruns nothing: snakemake compares no parameter that is made from inputs.
    """
    made_with = {}
    for path in input:
        if path in PLAN.results:
            made_with[path] = step_of(path)
        elif PLACES.is_result(path):
            made_with[path] = None
        else:
            made_with[path] = CONTENTS.checksum(path)
    return made_with


@cache
def step_of(path):
    """Return the step of a result of this run, as JSON; None for another file."""
    if path not in PLAN.results:
        return None
    return PLAN.results[path].step().as_json()


@cache
def code(path):
    """Return the fingerprint of a module and of all that it imports, or the checksum of files.

    A process that runs one job computes only that job's.
    """
    path = Path(path)
    if path.suffix == ".py":
        return fingerprint(path)
    return outside(path)


@cache
def source_of(script):
    """Return the file of a script; of a module from a tag, a copy of it."""
    if IS_CHECKOUT:
        return WORKFLOW / "scripts" / f"{script}.py"
    return Path(workflow.source_path(f"../scripts/{script}.py"))


def made_by(script, place):
    """Return parameters: the step of a planned result, the code of its script, what it reads."""
    return {
        "step": lambda wildcards: step_of(place.format(**wildcards)),
        "code": lambda wildcards: code(source_of(script)),
        "reads": expected,
    }


def code_of_validation(system):
    """Return the fingerprint of the task that a system is validated by; None of documents."""
    task = RUN.validated_by(system)
    if task is None:
        return None
    return code(task.source)


def requested(memory_mb, minutes):
    """Return the memory and time that a rule requests; more when a profile tries it again."""
    return {
        "mem_mb": lambda w, attempt: attempt * memory_mb,
        "runtime": lambda w, attempt: attempt * minutes,
    }


def share(memory, minutes):
    """Return requests of shares of `memory_mb` and `minutes` of the configuration."""
    return requested(*resources.share(RUN, memory, minutes))


def names_of_bundles():
    """Return the names of all bundles of languages, of any task."""
    names = set()
    for bundles in INPUTS.bundles.values():
        names.update(bundles)
    return sorted(names)
