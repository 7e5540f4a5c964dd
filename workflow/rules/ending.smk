# How a run ends: with a record of what it made, its main table, and what to do next.
import shlex
import shutil

from snakemake.io import is_flagged
from snakemake.logging import logger

from cr5.plan import manifest


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
    data = next((x for x in made if Path(x).name == "report"), None)
    program = from_there(WORKFLOW.parent / "run")
    program = program if Path(program).parent.name else os.path.join(".", program)
    lines = []
    if data:
        width, named = (
            shutil.get_terminal_size().columns,
            Systems(shown.systems(config)),
        )
        lines += [*glance(Path(data, "systems.csv"), width, named), ""]
        lines += [f"This table:  {from_there(Path(data, 'systems.md'))}"]
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
