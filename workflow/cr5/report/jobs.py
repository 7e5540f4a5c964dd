"""jobs.html: time and memory of a run's jobs, and the graph of its rules.

It depends on time and machine, so it is separate from report.html and not a result.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path, PurePosixPath
from string import Template

from cr5.base import sealed_json
from cr5.base.files import atomic_file
from cr5.report import rule_graph

TEMPLATE = Path(__file__).with_name("page.html")
NAME = "jobs.html"
HEADER = ["Step", "Jobs", "Time", "Longest", "CPU time", "Memory"]
NARROW_OFF = ("Longest", "CPU time")  # columns hidden on narrow screens


@dataclass(frozen=True)
class Took:
    """Snakemake's measurements of a job.

    Attributes:
        name: the job's name, as of its benchmark and its log.
        seconds: wall time.
        cpu: CPU seconds.
        memory: peak MB; None for a job too short to be sampled.
    """

    name: str
    seconds: float
    cpu: float
    memory: float

    @property
    def step(self) -> str:
        """Return the first part of its name, in words."""
        return PurePosixPath(self.name).parts[0].replace("_", " ")


def write(folder: str | Path, edges: Iterable[tuple[str, str]]) -> None:
    """Write jobs.html.

    Args:
        folder: the results, with benchmarks and logs.
        edges: pairs of rules, the second of which reads what the first makes.
    """
    folder = Path(folder)
    took = sorted(benchmarks(folder / "benchmarks"), key=lambda x: (x.step, -x.seconds, x.name))
    about = sealed_json.read(folder / "run.json")
    body = [
        '<p><a href="report.html">← Report</a></p><h1>Jobs</h1>',
        f"<p>{escape(_machine(about['machine']))}</p>",
        _table(took),
        '<p class="soft">Memory is the most of one job. CPU time and memory are sampled; jobs that '
        "take less than a second may have none.</p><h2>Graph of jobs</h2>",
        f'<div class="card scroll">{rule_graph.svg(edges)}</div><h2>Each job</h2>',
        *_details(folder, took),
    ]
    text = Template(TEMPLATE.read_text(encoding="utf-8"))
    with atomic_file(folder / NAME) as path:
        page = text.substitute(title="Jobs", body="\n".join(body))
        path.write_text(page, encoding="utf-8", newline="\n")


def benchmarks(folder: Path) -> list[Took]:
    """Read all benchmarks; skip incomplete ones, as they only describe the run."""
    found = []
    for path in sorted(folder.rglob("*.tsv")):
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines(), delimiter="\t"))
        if rows and rows[-1].get("s"):
            name = path.relative_to(folder).with_suffix("").as_posix()
            numbers = (_number(rows[-1].get(x)) for x in ("s", "cpu_time", "max_rss"))
            found.append(Took(name, *numbers))
    return found


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:  # NA, or - for what was not sampled
        return 0.0


def _machine(machine: Mapping) -> str:
    return f"{machine['processor']}, {machine['architecture']}, {machine['system']}."


def _table(took: Sequence[Took]) -> str:
    groups = [(step, list(jobs)) for step, jobs in groupby(took, key=lambda x: x.step)]
    groups.sort(key=lambda x: -sum(job.seconds for job in x[1]))
    rows = [_row("All", took), *(_row(step, jobs) for step, jobs in groups)]
    head = "".join(_cells("th", HEADER))
    body = f"<table><tr>{head}</tr>{''.join(rows)}</table>"
    return f'<div class="card main scroll">{body}</div>'


def _row(step: str, jobs: Sequence[Took]) -> str:
    seconds = [job.seconds for job in jobs]
    cells = [
        escape(step),
        str(len(jobs)),
        duration(sum(seconds)),
        duration(max(seconds, default=0)),
        duration(sum(job.cpu for job in jobs)),
        _memory(max((job.memory for job in jobs), default=0)),
    ]
    return f"<tr>{''.join(_cells('td', cells))}</tr>"


def _cells(tag: str, cells: Sequence[str]) -> Iterable[str]:
    for name, cell in zip(HEADER, cells, strict=True):
        hidden = ' class="narrow-off"' if name in NARROW_OFF else ""
        yield f"<{tag}{hidden}>{cell}</{tag}>"


def _details(folder: Path, took: Sequence[Took]) -> Iterable[str]:
    for step, jobs in groupby(took, key=lambda x: x.step):
        rows = "".join(
            f"<tr><td>{_named(folder, job.name)}</td><td>{duration(job.seconds)}</td>"
            f"<td>{_memory(job.memory)}</td></tr>"
            for job in jobs
        )
        yield (
            f"<details><summary>{escape(step)}</summary>"
            f'<table class="facts">{rows}</table></details>'
        )


def _named(folder: Path, name: str) -> str:
    """Return the job's name, linked to its log if there is one."""
    log = f"logs/{name}.log"
    shown = escape(name)
    return f'<a href="{escape(log)}">{shown}</a>' if (folder / log).is_file() else shown


def duration(seconds: float) -> str:
    """Say how long something took, such as `1 min 5 s`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _memory(mb: float) -> str:
    return f"{mb:,.0f} MB" if mb else "–"
