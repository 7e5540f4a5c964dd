# How a run begins: report foreseeable problems before any job.
import atexit
from collections import Counter
from contextlib import ExitStack
from logging import ERROR, WARNING

from snakemake.logging import logger

from cr5.base import lock
from cr5.plan import before, check, manifest

IS_DRY = workflow.output_settings.dryrun

# The terminal of ./run; None if snakemake writes to the terminal itself.
TERMINAL = next(
    (x for x in workflow.logger_manager.plugin_handlers if hasattr(x, "begin")), None
)

# The lock on the results, held while this process has jobs; child processes take none.
LOCKS = ExitStack()


def tell(findings):
    """Log problems; return whether a run may start."""
    found = list(findings)
    for finding in found:
        if finding.level != check.OK:
            level = ERROR if finding.level == check.ERROR else WARNING
            logger.log(level, str(finding))
    return all(finding.level != check.ERROR for finding in found)


def begin():
    """Reject a run that would fail; only here is it known where jobs will run."""
    deployed = workflow.deployment_settings.deployment_method
    here = workflow.local_exec and not deployed
    if not tell(check.quick(config, here)):
        raise WorkflowError("Nothing was started: see the errors above.")
    jobs = [*workflow.dag.needrun_jobs()]
    outputs = {path for job in jobs for path in job.output}
    try:
        for folder in sorted({os.path.dirname(path) for path in outputs}):
            lock.check_folder(folder)
        LOCKS.enter_context(lock.held(RESULTS))
        atexit.register(LOCKS.close)
    except UserError as error:
        raise WorkflowError(str(error))
    manifest.forget(RESULTS, outputs)
    if TERMINAL:
        TERMINAL.begin(*workflow.logger_manager.get_logfile())


# A process that snakemake starts for a job reads this too; it belongs to a run that passed.
if workflow.is_main_process:
    try:
        if "--unlock" not in sys.argv:
            if lock.is_free(RESULTS):  # otherwise a note may be half-written now
                before.check_notes()
            manifest.check(RESULTS)
        # Where another workflow has this one as a module, it may have no manifest.
        if not (IS_DRY or workflow.modifier.is_module) and lock.is_free(RESULTS):
            manifest.end_again(RESULTS)
    except UserError as error:
        raise WorkflowError(str(error))
    if TERMINAL:
        TERMINAL.rules = lambda: Counter(job.rule.name for job in workflow.dag.jobs)
    if IS_DRY:  # it reports what would stop a run, and plans anyway
        tell(check.quick(config))


onstart:
    begin()
