# How a run ends: with what is finished if it failed, and a note on what is no longer configured.
import shlex
import shutil

from snakemake.io import is_flagged
from snakemake.logging import logger

from cr5.plan import manifest
from cr5.plan.matrix import leftovers
from cr5.report import jobs

PARTIAL = f"{RESULTS}/partial"


def fits():
    """Yield each setting and system, over all repetitions, with all they need for the main task."""
    from cr5.report import unfinished  # imported late, as it takes a second

    there, repeated = finished(), {}
    for row in MATRIX:
        if row.task == MAIN:
            repeated.setdefault((row.setting.name, row.system, MAIN), []).append(row)
    for fit, rows in repeated.items():
        made = [
            (rule.output[0].format(**row.keys), rule.log[0].format(**row.keys))
            for row in rows
            for rule in (rules.draw, rules.setting, rules.fit, rules.rank)
        ]
        yield unfinished.Fit(
            *fit,
            made=[(path, "") for path in expand(BAGS, language=LANGUAGES)] + made,
            ranks={
                rules.rank.output[0].format(**row.keys): ranks_made_with(row)
                for row in rows
            },
            finished=there,
        )


def finished():
    """Return the files and folders that this run need not make, or has made."""
    waiting = {path for job in workflow.dag.needrun_jobs() for path in job.output}
    planned = {path for job in workflow.dag.jobs for path in job.output}
    return {*map(str, planned - waiting)}


def write_partial():
    """Report what is finished, if anything."""
    from cr5.report import unfinished
    from cr5.report.names import Systems

    told = unfinished.Told(
        config["corpus"]["name"],
        MAIN,
        METRICS,
        config["evaluation"]["curve"],
        {tuple(fit): name for *fit, name in paper.rows(config)},
        paper.unlike(config),
        configuration_of_run(),
        Systems(declared.systems(config)),
    )
    try:
        page = unfinished.write(list(fits()), PARTIAL, told)
    except (UserError, OSError) as error:
        logger.error(f"What is finished could not be put together: {error}")
        return
    if page:
        logger.error(f"What is finished, and what is not: {page}")


def write_manifest():
    """Record what the jobs of this run read and made, for `./run verify`.

    Jobs of another workflow that has this one as a module are not of the results.
    """
    jobs = [
        {
            "rule": job.rule.name,
            "wildcards": dict(job.wildcards_dict),
            "inputs": job.input,
            "outputs": [path for path in job.output if not is_flagged(path, "temp")],
            "done": workflow.dag.needrun(job),
        }
        for job in workflow.dag.jobs
        if all(Path(path).is_relative_to(RESULTS) for path in job.output)
    ]
    about = {key: config[key] for key in ("seed", "languages", "corpus")}
    changed = manifest.write(RESULTS, jobs, about)
    if changed:
        raise WorkflowError(manifest.message(RESULTS, changed))


def write_jobs():
    """Write the page of jobs' costs, if any job ran or the page is missing."""
    dag, page = workflow.dag, Path(RESULTS) / jobs.NAME
    if not Path(rules.report_page.output[0]).exists():
        return
    if page.exists() and not any(map(dag.needrun, dag.jobs)):
        return
    edges = {
        (x.rule.name, job.rule.name) for job in dag.jobs for x in dag.dependencies[job]
    }
    try:
        jobs.write(RESULTS, edges)
    except (UserError, OSError) as error:
        logger.error(f"{page} could not be written: {error}")


def from_there(path):
    """Return a path relative to where ./run was called, or the absolute one if it is shorter."""
    path = os.path.abspath(path)
    start = os.environ.get("CR5_CALLED_FROM", os.getcwd())
    return min(os.path.relpath(path, start), path, key=len)


def tell_what_next():
    """Show the main table, where everything is, and what to do with a finished run."""
    from cr5.report.glance import glance
    from cr5.report.names import Systems

    made = [str(path) for job in workflow.dag.jobs for path in job.output]
    page = next((x for x in made if x == f"{RESULTS}/report.html"), None)
    data = next((x for x in made if Path(x).name == "systems.csv"), None)
    program = from_there(WORKFLOW.parent / "run")
    program = program if Path(program).parent.name else os.path.join(".", program)
    lines = []
    if data:
        width, named = (
            shutil.get_terminal_size().columns,
            Systems(declared.systems(config)),
        )
        lines += [*glance(data, width, named), ""]
        lines += [f"This table:  {from_there(Path(data).with_suffix('.md'))}"]
    if page:
        lines += [f"Everything:  {from_there(page)}"]
    elif data:
        lines += [f"All of it:   {shlex.join([program, *of_the_same()])}"]
    if lines:
        there = from_there(RESULTS)
        search = [program, "cr5", "search", there, "your own words"]
        lines += [f"Search it:   {shlex.join(search)}"]
        lines += [f"Explore it:  {shlex.join([program, 'cr5', 'explore', there])}"]
    for line in lines:
        logger.info(line, extra={"terminal": True})


def of_the_same():
    """Return the arguments that give ./run the same configuration and folder."""
    named = [os.path.abspath(x) for x in workflow.overwrite_configfiles]
    files = ["--configfile", *named] if named else []
    moved = Path.cwd() != WORKFLOW.parent
    return [*files, *(["--directory", os.getcwd()] if moved else [])]


def tell_leftovers():
    """Name existing results of systems, settings and tasks that are no longer configured."""
    if found := leftovers(RESULTS, MATRIX):
        first = ", ".join(map(str, found[:3]))
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        logger.warning(
            f"Not of this configuration, remove what is of no use: {first}{more}"
        )
        logger.info("\n".join(map(str, found)))
