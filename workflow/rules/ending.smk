# How a run ends: with its main table, and what to do next.
import shlex
import shutil

from snakemake.logging import logger


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
