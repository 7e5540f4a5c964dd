# The configuration, what every rule has, and how a run begins and ends.
import json
import os
import re
import shlex
import shutil
import sys
from base64 import urlsafe_b64decode
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from textwrap import fill

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

WORKFLOW = Path(str(workflow.current_basedir)).resolve().parent

# The package need not be installed: this process finds it here, and so do scripts.
sys.path.insert(0, str(WORKFLOW))
# Snakemake starts scripts by this name without quoting it; ./run puts .venv first on the PATH.
if " " in sys.executable:
    sys.executable = "python"

from cr5.base import job as jobs
from cr5.base import processor
from cr5.base.artefacts import ABOUT, Artefact, outside
from cr5.base.errors import UserError
from cr5.base.files import alone
from cr5.texts.fetch import as_folder
from cr5.fitting.options import DOCUMENTS as EXPLORED_TASK
from cr5.plan import config_files, files, notices, replaced, resources, shown
from cr5.plan.code import fingerprint
from cr5.plan.config import validated
from cr5.plan.contents import Contents, check_dates
from cr5.plan.made_with import MadeWith
from cr5.plan.start import called_from
from cr5.plan.words import ALIGNMENTS_SECTION, CHANNELS, GivenVectors, MadeAlignments
from cr5.splits.options import TOGETHER

jobs.planning()

# Also with --directory.
DEFAULT = Path("config/config.yaml")
if not DEFAULT.exists():
    DEFAULT = WORKFLOW.parent / DEFAULT

# A configuration file with a corpus is complete; any other changes keys of the default.
STANDS_ALONE = "corpus" in config and bool(workflow.overwrite_configfiles)

try:
    for path in [*workflow.overwrite_configfiles, *([] if STANDS_ALONE else [DEFAULT])]:
        config_files.read(path)
except UserError as error:
    raise WorkflowError(str(error))

if not STANDS_ALONE:

    configfile: str(DEFAULT)


try:
    RUN = validated(config)
    MADE_WITH = MadeWith(RUN)
except UserError as error:
    named = ", ".join(map(str, workflow.overwrite_configfiles or [DEFAULT]))
    raise WorkflowError(f"{named}: {error}")

config = RUN.plain()

# Each job is started by a process that has read this, on the machine where it runs.
processor.limit(RUN.processor)

RESULTS = f"{RUN.results}/{RUN.corpus.own.name}"
TEXT = RUN.corpus.part
LANGUAGES = RUN.languages
MATRIX = RUN.matrix
PLACES = MADE_WITH.places
BUNDLES = MADE_WITH.bundles

# Results can be explored if there is text: those of the joint setting, or of the only one.
explorable = {
    x.setting.name for x in MATRIX if x.task == EXPLORED_TASK and TEXT.has_text
}
only = min(explorable) if len(explorable) == 1 else None
EXPLORED = "joint" if "joint" in explorable else only

# What every source makes, and parallel paragraphs, if it has them.
DOCUMENTS = f"{RESULTS}/documents/{{language}}"
BAGS = f"{RESULTS}/bags/{{language}}"
PARAGRAPHS = f"{RESULTS}/paragraphs/{{language}}" if TEXT.parallel else ""

# Word vectors: given ones, or trained on what each repetition leaves.
VECTORS_ARE_GIVEN = isinstance(RUN.vectors, GivenVectors)
VECTORS = f"{RESULTS}/vectors/{{language}}/" + (
    "given" if VECTORS_ARE_GIVEN else "{repetition}"
)

# By the scheme, host and path of an address.
FETCHED = f"{RESULTS}/fetched/{{file}}"
ALIGNED = f"{RESULTS}/aligned/{{task}}/{{bundle}}"


wildcard_constraints:
    language="|".join(LANGUAGES),
    setting="|".join(map(re.escape, RUN.trained)),
    system="|".join(map(re.escape, RUN.systems)),
    task="|".join(map(re.escape, RUN.readers)),
    repetition=r"\d+",
    look="|quick/",  # of all, or a first look at what takes little


# Of another version of these scripts nothing is fetched anew.
BY_NETWORK = "fetch", "wikipedia_pins", "wikipedia_download"


# Each process reads this file; the one that plans writes the notes.
CONTENTS = Contents(Path(".snakemake/cr5_checksums"), workflow.is_main_process)


def is_made_here(path):
    """Whether a path is of the results, and not a file or folder of the user."""
    return Path(path).is_relative_to(RESULTS)


def by_content(paths):
    """Mark those of some inputs, or of one, that are the user's: snakemake compares no date of them.

    Their content counts instead, as `rerun_params` says. They are read here, while jobs are
    planned: one that cannot be read stops the run before any job.
    """
    if not isinstance(paths, str):
        return [by_content(path) for path in paths]
    if is_made_here(paths):
        return paths
    CONTENTS.checksum(paths)
    return ancient(paths)


def rerun_params(rule, script):
    """Return parameters that rerun a job: the settings of its own step, and the code behind it.

    Of the user's files they have the checksums, in the order of the rule's inputs. What its other
    inputs must have been made with reruns nothing: snakemake compares no parameter that is made
    from inputs.
    """
    settings = getattr(MADE_WITH, script.stem, lambda **wildcards: {})

    def made_with(w):
        users = [x for x in rule.expand_input(w)[0] if not is_made_here(x)]
        return {**settings(**w), "contents": [CONTENTS.checksum(x) for x in users]}

    return {
        "made_with": made_with,
        "fingerprint": lambda w: code(script),
        "reads": lambda w, input: {path: made_by(path) for path in input},
    }


@cache
def code(path):
    """Return the fingerprint of a module, or of the content of other files.

    A process that runs one job computes only that job's.
    """
    return fingerprint(path) if path.suffix == ".py" else outside(path)


@cache
def made_by(path):
    """Return what an artefact must have been made with, or the checksum of a file of the user.

    None for another file, such as one that was fetched.
    """
    if not is_made_here(path):
        return CONTENTS.checksum(path)
    for x in workflow.rules:
        if "reads" in x.params.keys() and x.is_producer(path):
            return x.params.made_with(x.get_wildcards(path))
    return None


@cache
def settings_of(path):
    """Return the settings of the step that makes an artefact; None for another file."""
    for x in workflow.rules:
        if "reads" in x.params.keys() and x.is_producer(path):
            step = getattr(MADE_WITH, Path(x.script).stem, None)
            return step and step(**x.get_wildcards(path))
    return None


def check_replaced(ranks):
    """Name finished ranks that other settings made; UserError unless they may be replaced."""
    found = replaced.replaced(RESULTS, ranks, settings_of)
    if found and not os.environ.get(replaced.MAY_REPLACE):
        raise UserError(f"{replaced.told(found)}\n{replaced.REMEDY}")
    if found:
        logger.warning(f"To be replaced: {replaced.told(found)}")


def planned_ranks():
    """Return the ranks that are to be made, once snakemake has planned."""
    return [x.output[0] for x in workflow.dag.needrun_jobs() if x.rule.name == "rank"]


def requested(memory_mb, minutes):
    """Return the memory and time that a rule requests; more when a profile tries it again."""
    return {
        "mem_mb": lambda w, attempt: attempt * memory_mb,
        "runtime": lambda w, attempt: attempt * minutes,
    }


def share(memory, minutes):
    """Return requests of shares of `memory_mb` and `minutes` of the configuration."""
    return requested(*resources.share(RUN, memory, minutes))


def on_this_machine(path):
    """Return a file of the user, or where it is fetched to."""
    folder = as_folder(str(path))
    if folder is None:
        scheme, _, rest = path.partition("://")
        return FETCHED.format(file=f"{scheme.lower()}/{rest}")
    return str(folder)


def made_by_rows(rule, rows):
    """Return the output of a rule for rows of the matrix, each once."""
    return list(dict.fromkeys(rule.output[0].format(**row.keys) for row in rows))


# A failed job loses its output, and snakemake does not notice a missing intermediate file while
# what was made of it, under other settings, still exists: so all are requested by name.
def made_of(rows):
    """Return documents, bags, draws, settings, models and ranks of rows of the matrix."""
    every = rules.draw, rules.setting, rules.fit, rules.rank
    made = [path for rule in every for path in made_by_rows(rule, rows)]
    texts = [DOCUMENTS, BAGS] if TEXT.has_text else [BAGS]
    return [*expand(texts, language=LANGUAGES), *made]


@cache
def lock():
    """Keep other runs out of the results until the process that starts jobs ends."""
    held = alone(RESULTS)
    held.__enter__()
    return held


def notes_of_snakemake(place=Path(".snakemake/metadata")):
    """Yield each of snakemake's notes, and the path of what it is of; None if it is damaged."""
    for note in [x for x in place.rglob("*") if x.is_file()]:
        try:
            json.loads(note.read_bytes())
            name = "".join(x.lstrip("@") for x in note.relative_to(place).parts)
            yield note, os.path.normpath(urlsafe_b64decode(name).decode())
        except ValueError:
            yield note, None


def unknown():
    """Yield results of which neither snakemake nor they tell that they are of today's settings.

    Snakemake's notes of them are lost, or cut off by a full disk or a power cut: then it passes
    over them, and whatever is there would count as made with today's settings.
    """
    known = {path for _, path in notes_of_snakemake()}
    known.add(f"{RESULTS}/explore")  # `cr5 explore` may have made it
    for folder in sorted(str(x.parent) for x in Path(RESULTS).rglob(ABOUT)):
        try:
            expected = None if folder in known else made_by(folder)
            if expected is not None:
                Artefact(folder).check_made_with(expected)
        except (UserError, WorkflowError):  # today's have no such input
            yield folder


def warnings_of_texts():
    """Return what is known of tests' texts that train, or are asked twice.

    Nothing before the job that looks for them has ended, or if it was made with other settings.
    """
    from cr5.splits.seen import warnings_in  # imports what computes

    with suppress(UserError, WorkflowError, OSError):
        for folder in SEEN:
            Artefact(folder).check_made_with(made_by(folder))
        return [warning for folder in SEEN for warning in warnings_in(folder)]
    return []


def settle():
    """Give our rules what all have; look at what is there before jobs are planned.

    The log of what makes `results/x/bags/en` is `results/x/logs/bags/en.log`. A process that
    snakemake starts for a job reads this too; it belongs to a run that passed.
    """
    for each in workflow.rules:
        if each.script and Path(str(each.basedir)).resolve().parent == WORKFLOW:
            script = WORKFLOW / "scripts" / Path(each.script).name
            each.conda_env = str(WORKFLOW.parent / "envs/environment.yaml")
            made = each.output[0].removeprefix(f"{RESULTS}/").removesuffix(".json")
            each.log_modifier = each.output_modifier
            each.set_log(f"{RESULTS}/logs/{made}.log")
            if script.stem not in BY_NETWORK:
                each.set_params(**rerun_params(each, script))
    check_cores()
    if not workflow.is_main_process:
        return
    if not workflow.modifier.skip_configfile:
        tell_configuration()
    if workflow.output_settings.dryrun:
        for said in notices.obstacles(RUN, MADE_WITH):
            logger.warning(f"A run would not start: {said}")
        for said in [*notices.remarks(RUN), *warnings_of_texts()]:
            logger.warning(said)
    # Snakemake calls nothing of ours between the Snakefile and the jobs, nor at all in a plan.
    workflow._build_dag = partial(plan, workflow._build_dag)


def plan(build):
    """Have snakemake plan jobs, also of what is there but may be of other settings.

    It removes what a job makes once the job starts, so a run that does not start removes nothing.
    """
    is_dry = workflow.output_settings.dryrun
    if Path(RESULTS).is_dir() and not is_dry:
        try:
            lock()
            for note in [x for x, path in notes_of_snakemake() if path is None]:
                note.unlink()
        except UserError as error:
            raise WorkflowError(str(error))
        except OSError:
            pass  # told when jobs start
    doubtful = set(unknown())
    workflow.dag.forcefiles.update(doubtful)
    build()
    needed = {x for job in workflow.dag.jobs for x in job.input}
    made = {x for job in workflow.dag.jobs for x in job.output}
    planned = {x for job in workflow.dag.needrun_jobs() for x in job.output}
    for folder in sorted(doubtful & planned):
        logger.warning(
            f"{folder} is to be made again, and what is made of it: snakemake has no note of "
            "it, and it is damaged or made with other settings"
        )
    for folder in sorted(doubtful & needed - made):
        logger.warning(
            f"{folder} stays as it is: snakemake has no note of it, and what it is made from is "
            "not there, so nothing tells whether it is of today's settings"
        )
    if is_dry:
        try:
            check_replaced(planned_ranks())
        except UserError as error:
            logger.warning(f"A run would not start: {error}")


def check_cores():
    """Reject numbers of cores or jobs with which no job would ever start."""
    given = workflow.resource_settings
    for option, number in {"--cores": given.cores, "--jobs": given.nodes}.items():
        if number is not None and number < 1:
            expected = "expected 1 or more; `--cores all` takes every core"
            raise WorkflowError(f"{option} {number}: {expected}")


def tell_configuration():
    """Name the files that were read."""
    read = [*workflow.overwrite_configfiles, *([] if STANDS_ALONE else [DEFAULT])]
    places = [os.path.normpath(x) for x in read]
    told = ", ".join(x.removeprefix(f"{Path.cwd()}/") for x in places)
    logger.info(f"Configuration: {told}", extra={"begins": True})


def begin():
    """Reject a run that would fail, and give it the terminal."""
    from cr5.texts import alignment  # imports what computes

    jobs = [*workflow.dag.needrun_jobs()]
    try:
        if refused := [*notices.obstacles(RUN, MADE_WITH)]:
            raise UserError("\n".join(refused))
        if "align" in {job.rule.name for job in jobs}:
            alignment.program()
        check_dates(
            path for job in jobs for path in job.input if not is_made_here(path)
        )
        check_replaced(planned_ranks())
        lock()
    except (UserError, OSError) as error:
        raise WorkflowError(str(error))
    for handler in workflow.logger_manager.plugin_handlers:
        if hasattr(handler, "begin"):  # the terminal of ./run
            handler.begin(*workflow.logger_manager.get_logfile())
    for said in notices.remarks(RUN):
        logger.warning(said)


def tell_what_next():
    """Show the main table, where everything is, and what to do with a finished run.

    With --directory, or from another folder, paths are absolute.
    """
    from cr5.report.names import Systems
    from cr5.report.table import glance

    looks = [x.wildcards.look for x in workflow.dag.jobs if x.rule.name == "report"]
    if not looks:
        return
    there, program, width = RESULTS, "./run", shutil.get_terminal_size().columns
    if not Path.cwd() == called_from().resolve() == WORKFLOW.parent:
        there, program = os.path.abspath(RESULTS), str(WORKFLOW.parent / "run")
    shown_in = f"{there}/{looks[0]}report"
    language = "en" if "en" in LANGUAGES else LANGUAGES[0]
    search = [program, "cr5", "search", there, "your own words", "--from", language]
    explore = [program, "cr5", "explore", there]
    for line in [
        *glance(f"{shown_in}/systems.csv", width, Systems(shown.systems(RUN))),
        "",
        *(f"{fill(f'Warning: {x}.', width)}\n" for x in warnings_of_texts()),
        f"This table:  {shown_in}/systems.md",
        f"Everything:  {shown_in}.html",
        *([f"Search it:   {shlex.join(search)}"] if TEXT.has_text else []),
        *([f"Explore it:  {shlex.join(explore)}"] if EXPLORED else []),
    ]:
        logger.info(line, extra={"terminal": True})


onstart:
    begin()


onsuccess:
    tell_what_next()
