"""The plan of a run on one screen."""

from collections.abc import Iterator, Mapping, Sequence

from snakemake_logger_plugin_cr5.stages import by_stage


def plan(
    to_run: Mapping[str, int],
    there: Mapping[str, int],
    findings: Sequence[str],
) -> Iterator[str]:
    """Return the lines of a plan: each stage with its numbers of jobs, then findings.

    Args:
        to_run: number of jobs by rule.
        there: number of jobs by rule whose results exist and are up to date.
        findings: lines, each beginning with its level.
    """
    run, done = by_stage(to_run), by_stage(there)
    stages = list(dict.fromkeys([*done, *run]))
    if run:
        yield f"{'stage':<12}{'to run':>8}{'there':>8}"
        for stage in stages:
            yield f"{stage:<12}{run.get(stage, 0):>8}{done.get(stage, 0):>8}"
        yield f"{'all':<12}{sum(run.values()):>8}{sum(done.values()):>8}"
    else:
        yield "Nothing to do: every result is there and up to date."
    yield from sorted(findings, key=lambda x: x.startswith("error"))
    errors = sum(x.startswith("error") for x in findings)
    if errors:
        them = "it is" if errors == 1 else "they are"
        yield f"Such a run would not start until {them} corrected."
    elif run:
        yield "Nothing was run: this is a plan (-n). Add `--quiet host` to see each job."
