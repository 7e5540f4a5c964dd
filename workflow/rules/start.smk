# How a run begins and ends: what is told, what is refused, and what is there but stale.
import shlex
import shutil
from contextlib import suppress
from itertools import chain
from textwrap import fill

from snakemake.exceptions import MissingInputException, WildcardError
from snakemake.settings.types import MaxJobsPerTimespan

from cr5.base.artefacts import Artefact
from cr5.base.files import alone
from cr5.plan import notices, replaced, shown
from cr5.plan.contents import check_dates
from cr5.plan.start import REFUSES, called_from
from cr5.splits import seen_warnings

STARTS = MaxJobsPerTimespan(100, "1s")  # snakemake's own limit, where none is given


def stale():
    """Return the results that are there, but damaged or made by another step than the plan's.

    Snakemake plans what has other parameters by its own notes, which may be lost: a full disk or a
    power cut is enough. Then whatever is there would count as made with today's settings.
    """
    stale_paths = set()
    for path in PLAN.results:
        if path == PLACES.explore or not Path(path, ABOUT).is_file():
            continue  # `cr5 explore` may have made it, by no step
        try:
            Artefact(path).check_step(step_of(path))
        except UserError:
            stale_paths.add(path)
    return stale_paths


def plan(build):
    """Have snakemake plan jobs, also of what is there but stale.

    It removes what a job makes once the job starts, so a run that does not start removes nothing.
    """
    start_jobs_at_once()
    is_dry = workflow.output_settings.dryrun
    if Path(RESULTS).is_dir() and not is_dry:
        try:
            lock()
        except UserError as error:
            raise WorkflowError(str(error))
        except OSError:
            pass  # told when jobs start
    stale_paths = stale()
    workflow.dag.forcefiles.update(stale_paths)  # of these it makes those that it needs
    try:
        build()
    except (MissingInputException, WildcardError):  # {lang} is a wildcard to snakemake
        refuse_files()
        raise
    tell_stale(stale_paths)
    if is_dry:
        for refusal in refusals():
            tell_refusal(refusal)


def start_jobs_at_once():
    """Take snakemake's own limit of starts a second away from jobs of this machine.

    Cores limit them. To keep to a limit snakemake looks for jobs again a second after each look,
    and once more for each job that ended while others wait: with many jobs that takes a core.
    """
    settings = workflow.scheduling_settings
    if settings is None:  # no job is to start, as for --report
        return
    limit = settings.max_jobs_per_timespan
    if workflow.local_exec and limit and vars(limit) == vars(STARTS):
        settings.max_jobs_per_timespan = None


def refuse_files():
    """Say which files are not there, and what is there instead; WorkflowError if it is known.

    Snakemake names those of one job alone, and no key.
    """
    missing = [*notices.obstacles(PLAN), *notices.missing(PLAN)]
    if missing:
        raise WorkflowError("\n".join(missing)) from None


def tell_stale(paths):
    """Say which of what is there is made again though snakemake has no notes, and which cannot be."""
    without_notes = set()
    for job in workflow.dag.needrun_jobs():
        if not workflow.persistence.has_metadata(job):
            without_notes.update(job.output)
    made = set()
    inputs = set()
    for job in workflow.dag.jobs:
        made.update(job.output)
        inputs.update(job.input)
    for path in sorted(paths & without_notes):
        logger.warning(
            f"{path} is to be made again, and what is made of it: it is damaged or made with other "
            "settings"
        )
    for path in sorted(paths & inputs - made):
        logger.warning(
            f"{path} stays as it is: it is damaged or made with other settings, and what it is made "
            "from is not there"
        )


@cache
def lock():
    """Keep other runs out of the results until the process that starts jobs ends."""
    held_until_the_end = alone(RESULTS)
    held_until_the_end.__enter__()
    return held_until_the_end


def planned():
    """Return what is made, by whatever name a workflow around this one gives to rules."""
    return list(chain.from_iterable(job.output for job in workflow.dag.needrun_jobs()))


def check_replaced():
    """Name finished ranks that other settings made; UserError unless they may be replaced."""
    ranks = [path for path in planned() if path.startswith(f"{RESULTS}/ranks/")]
    changes_by_system = replaced.replaced(RESULTS, ranks, step_of)
    if not changes_by_system:
        return
    changes = replaced.told(changes_by_system)
    if not os.environ.get(replaced.MAY_REPLACE):
        raise UserError(f"{changes}\n{replaced.REMEDY}")
    logger.warning(f"To be replaced: {changes}")


def check_aligner():
    """Refuse to align words without the program; UserError."""
    if any(path.startswith(f"{RESULTS}/alignments/") for path in planned()):
        from cr5.texts import alignment  # imports what computes

        alignment.program()


def check_dates_of_inputs():
    """Refuse files of the user's whose dates are in the future; UserError."""
    for job in workflow.dag.needrun_jobs():
        check_dates(path for path in job.input if not PLACES.is_result(path))


def refusals():
    """Return why a run must not start; a plan and a run say the same."""
    return [*notices.obstacles(PLAN), *refusals_of_jobs()]


def refusals_of_jobs():
    """Yield why the jobs that are planned must not start."""
    for check in (check_aligner, check_dates_of_inputs, check_replaced):
        try:
            check()
        except (UserError, OSError) as error:
            yield str(error)


def warnings_of_texts():
    """Return what is known of tests' texts that train, or are asked twice.

    Nothing before the job that looks for them has ended, or if it was made with other settings.
    """
    warnings = []
    with suppress(UserError, OSError):
        for folder in INPUTS.seen_if_any():
            Artefact(folder).check_step(step_of(folder))
            warnings += seen_warnings.read(folder)
    return warnings


def check_cores():
    """Reject numbers of cores or jobs with which no job would ever start."""
    settings = workflow.resource_settings
    for option, number in {"--cores": settings.cores, "--jobs": settings.nodes}.items():
        if number is not None and number < 1:
            raise WorkflowError(
                f"{option} {number}: expected 1 or more; `--cores all` takes every core"
            )


def tell_configuration():
    """Name the files that were read."""
    places = [os.path.normpath(path) for path in CONFIGURATION]
    told = ", ".join(place.removeprefix(f"{Path.cwd()}/") for place in places)
    logger.info(f"Configuration: {told}", extra={"begins": True})


def tell_refusal(refusal):
    """Say in a plan why a run would not start; `./run` then ends with a status of its own."""
    logger.warning(f"A run would not start: {refusal}", extra={REFUSES: True})


def tell_plan():
    """Say what a run would do otherwise than asked."""
    for remark in chain(notices.remarks(RUN), warnings_of_texts()):
        logger.warning(remark)


def begin():
    """Reject a run that would fail, and give it the terminal."""
    refused = refusals()
    if refused:
        raise WorkflowError("\n".join(refused))
    try:
        lock()
    except (UserError, OSError) as error:
        raise WorkflowError(str(error))
    for handler in workflow.logger_manager.plugin_handlers:
        if hasattr(handler, "begin"):  # the terminal of ./run
            handler.begin(*workflow.logger_manager.get_logfile())
    for remark in notices.remarks(RUN):
        logger.warning(remark)


def tell_what_next():
    """Show the main table, where everything is, and what to do with a finished run.

    With --directory, or from another folder, paths are absolute.
    """
    from cr5.report.names import Systems
    from cr5.report.table import glance

    made = set(chain.from_iterable(job.output for job in workflow.dag.jobs))
    looks = [look for look in LOOKS if PLACES.report.format(look=look) in made]
    if not looks:
        return
    folder = RESULTS
    program = ["./run", "cr5"]
    if not Path.cwd() == called_from().resolve() == WORKFLOW.parent:
        folder = os.path.abspath(RESULTS)
        program = [str(WORKFLOW.parent / "run"), "cr5"]
    if not IS_CHECKOUT:
        program = ["cr5"]
    shown_in = f"{folder}/{looks[0]}report"
    width = shutil.get_terminal_size().columns
    lines = list(glance(f"{shown_in}/systems.csv", width, Systems(shown.systems(RUN))))
    lines.append("")
    for warning in warnings_of_texts():
        lines.append(f"{fill(f'Warning: {warning}.', width)}\n")
    lines.append(f"This table:  {shown_in}/systems.md")
    lines.append(f"Everything:  {shown_in}.html")
    if TEXT.has_text:
        language = LANGUAGES[0]
        if "en" in LANGUAGES:
            language = "en"
        search = [
            *program,
            "search",
            folder,
            "your own words",
            "--from",
            language,
        ]
        lines.append(f"Search it:   {shlex.join(search)}")
    if PLAN.steps.explored:
        explore = [*program, "explore", folder]
        lines.append(f"Explore it:  {shlex.join(explore)}")
    for line in lines:
        logger.info(line, extra={"terminal": True})


check_cores()
# A process that snakemake starts for a job reads this too; it belongs to a run that passed.
if workflow.is_main_process:
    if not workflow.modifier.skip_configfile:
        tell_configuration()
    if workflow.output_settings.dryrun:
        tell_plan()
    # Snakemake calls nothing of ours between the Snakefile and the jobs, nor at all in a plan; and
    # has no option that makes results again only if they are needed.
    workflow._build_dag = partial(plan, workflow._build_dag)


onstart:
    begin()


onsuccess:
    tell_what_next()
