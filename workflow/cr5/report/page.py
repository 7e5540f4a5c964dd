"""report.html: what was done and found, with all tables and figures, on one page.

The main table and figure are in the page itself, so that it can be sent alone; all else is linked.
Nothing of time and machine is in it, so that the same run gives the same bytes.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Any

import pandas as pd

from cr5.base import origin, sealed_json
from cr5.base.files import atomic_file
from cr5.report import notes, systems
from cr5.report.items import Item, items
from cr5.report.markup import MISSING, count_cell, html
from cr5.report.names import Systems, setting_name, similarity_name

TEMPLATE = Path(__file__).with_name("page.html")
FIGURE = "figures/precision_at_k.svg"
EXPLORE = "explore/index.html"
OTHER_SETTINGS = "Other settings, each with its own directions and queries"
OTHER_FORMATS = {".html": (".csv", ".md", ".tex"), ".svg": (".png", ".pdf")}
DATA = {
    "scores": "every score with its 95 % interval",
    "means": "means over directions",
    "significance": "every test between two systems",
    "repetitions": "each repetition by itself",
    "curves": "Success@k at every k, each direction",
    "mean_curves": "Success@k at every k, means over directions",
    "validation": "all that was tried on validation queries",
    "dimensions": "the number of dimensions of each fit",
    "left_out": "what the data allowed no figures for",
}


@dataclass(frozen=True)
class Found:
    """What the page shows of a run.

    Attributes:
        folder: the results.
        about: content of run.json.
        systems: rows of systems.csv for the main task, by its first measure.
        left_out: content of left_out.csv.
        items: all tables and figures.
    """

    folder: Path
    about: Mapping[str, Any]
    systems: pd.DataFrame
    left_out: pd.DataFrame
    items: Sequence[Item]

    @property
    def named(self) -> Systems:
        """How the systems are named."""
        return Systems(self.about.get("systems", {}))


def write(
    folder: str | Path,
    shown: Sequence[tuple[str, str, str]],
    task: str,
    similarity: str,
    explored: bool = False,
    seen: Sequence[str] = (),
) -> None:
    """Write report.html.

    Args:
        folder: the results.
        shown: the tables and figures of this run, see `items`.
        task: task of the main table.
        similarity: measure of the main table.
        explored: whether there is a page to explore the results.
        seen: warnings of test texts that train.
    """
    folder = Path(folder)
    about = sealed_json.read(folder / "run.json")
    of_task = pd.read_csv(folder / "tables" / "systems.csv")
    of_task = of_task[(of_task["task"] == task) & (of_task["similarity"] == similarity)]
    left_out = pd.read_csv(folder / "tables" / "left_out.csv")
    found = Found(folder, about, of_task, left_out, items(shown))
    title = f"{_words(task)} on {about['config']['corpus']['name']}"
    parts = [
        f"<h1>{html(title)}</h1>",
        *_done(found),
        *(f'<section class="left-out"><p>{html(said)}.</p></section>' for said in seen),
        *_left_out(found),
        f'<section class="card main">{_table(found, similarity)}{_figure(found)}</section>',
        _explore() if explored else "",
        *_groups(found),
        *_more(found),
    ]
    text = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=html(title), body="\n".join(filter(None, parts))
    )
    with atomic_file(folder / "report.html") as path:
        path.write_text(text, encoding="utf-8", newline="\n")


def _words(name: str) -> str:
    return "Document retrieval" if name == "documents" else name.replace("_", " ").capitalize()


def _done(found: Found) -> list[str]:
    """Say in two sentences what was done, and from what."""
    config, of = found.about["config"], found.systems
    languages = config["languages"]
    rows = of[of["directions"] == of["directions"].max()]
    what = [
        f"{len(languages)} languages ({', '.join(languages)}), {rows['directions'].max():.0f} "
        f"directions, {count_cell(rows['n_queries'].max())} queries, each searched among about "
        f"{count_cell(rows['n_candidates'].mean())} candidates in another language."
        if len(rows)
        else f"{len(languages)} languages ({', '.join(languages)}).",
        "All systems of a setting have the same training documents and the same queries"
        + (f", in {config['repetitions']} repetitions" if config["repetitions"] > 1 else "")
        + "; hyperparameters were chosen on other queries.",
    ]
    made = f"Made from {origin.from_json(found.about['origin'])}."
    return [f"<p>{html(' '.join(what))}</p>", f'<p class="origin soft">{html(made)}</p>']


def _left_out(found: Found) -> list[str]:
    rows, named = found.left_out, found.named
    if rows.empty:
        return []
    each = rows.groupby("reason", sort=False)[["system", "setting", "task"]]
    said = [f"<li>{html(reason)}: {html(_places(group, named))}</li>" for reason, group in each]
    return [
        f'<section class="left-out"><p><b>Left out</b> (<a href="tables/left_out.csv">'
        f"left_out.csv</a>), as the data allow no figures:</p><ul>{''.join(said)}</ul></section>"
    ]


def _places(rows: pd.DataFrame, systems: Systems) -> str:
    places = rows.drop_duplicates().itertuples(index=False, name=None)
    return "; ".join(f"{systems.legend(*fit)}, {task}" for *fit, task in places)


def _table(found: Found, similarity: str) -> str:
    """Lay out each setting's systems by decreasing first metric, with a bar behind it."""
    of = found.systems
    if of.empty:
        return "<p>No system has figures: all of it was left out.</p>"
    metrics = systems.printed(of)
    names = [html(metric).replace("@", "<wbr>@") for metric in metrics]
    heads = "".join(
        f"<th{_narrow_off(i, len(metrics))}>{name}</th>" for i, name in enumerate(names)
    )
    alone = of.groupby("setting")["system"].transform("nunique") == 1
    alone &= len(set(of["setting"])) > 1
    blocks = [(_size(block), block) for _, block in of[~alone].groupby("setting", sort=False)]
    if alone.any():
        blocks.append((OTHER_SETTINGS, of[alone]))
    rows = [
        row for heading, block in blocks for row in _block(heading, block, metrics, found.named)
    ]
    return (
        f'<div class="scroll"><table><tr><th>System</th>{heads}</tr>{"".join(rows)}</table></div>'
        f'<p class="soft">Percent, candidates ordered by {html(similarity_name(similarity))}, '
        "means over directions; in brackets 95 % intervals. Bold: the best of a setting, and what "
        f"does not differ from it significantly. {html(' '.join(notes.metrics(metrics)))}</p>"
    )


def _narrow_off(place: int, count: int) -> str:
    """Hide columns between the first and the last two on narrow screens."""
    return ' class="narrow-off"' if 0 < place < count - 2 else ""


def _size(block: pd.DataFrame) -> str:
    """Name a setting and the size of its searches."""
    first = block.iloc[0]
    number = f"{first['directions']:.0f} directions" if first["directions"] > 1 else "1 direction"
    queries, candidates = count_cell(first["n_queries"]), count_cell(first["n_candidates"])
    return f"{setting_name(first['setting'])}: {number}, {queries} queries, {candidates} candidates"


def _block(heading: str, block: pd.DataFrame, metrics: Sequence[str], named: Systems) -> list[str]:
    rows = [f'<tr class="setting"><th colspan="{len(metrics) + 1}">{html(heading)}</th></tr>']
    fits = ["system", "setting"]
    values = block.pivot_table("value", fits, "metric", sort=False)
    if heading != OTHER_SETTINGS:
        values = values.sort_values(metrics[0], ascending=False, kind="stable")
    records = {(x["system"], x["setting"], x["metric"]): x for x in block.to_dict("records")}
    for system, setting in values.index:
        alone = heading == OTHER_SETTINGS
        name = named.legend(system, setting) if alone else named.title(system)
        cells = [
            _cell(records.get((system, setting, metric)), place, len(metrics))
            for place, metric in enumerate(metrics)
        ]
        rows.append(f"<tr><td>{html(name)}</td>{''.join(cells)}</tr>")
    return rows


def _cell(record: Mapping[str, Any] | None, place: int, count: int) -> str:
    if record is None or pd.isna(record["value"]):
        return f"<td{_narrow_off(place, count)}>{MISSING}</td>"
    text = f"{100 * record['value']:.1f}"
    text = f"<b>{text}</b>" if record["best"] is True else text
    if place:
        return f"<td{_narrow_off(place, count)}>{text}</td>"
    ends = f"[{100 * record['ci_low']:.1f}, {100 * record['ci_high']:.1f}]"
    share = f"--share:{100 * record['value']:.1f}%"
    return f'<td class="value" style="{share}">{text} <small>{ends}</small></td>'


def _figure(found: Found) -> str:
    """Embed the main figure, as an image, so that its ids do not clash with others."""
    if FIGURE not in [item.path for item in found.items]:
        return ""
    data = base64.b64encode((found.folder / FIGURE).read_bytes()).decode("ascii")
    caption = "Success@k over k (logarithmic), means over all directions, 95 % intervals."
    return (
        f'<figure><img alt="{caption}" src="data:image/svg+xml;base64,{data}">'
        f'<figcaption>{caption} <a href="{FIGURE}">Alone</a>.</figcaption></figure>'
    )


def _explore() -> str:
    return (
        f'<a class="explore" href="{EXPLORE}"><b>Explore what was found →</b>Documents and their '
        "nearest neighbours in other languages, failing queries, and hubs.</a>"
    )


def _groups(found: Found) -> list[str]:
    parts = []
    for group, members in groupby(found.items, key=lambda item: item.group):
        cards = "".join(map(_card, members))
        parts.append(f'<h2>{html(group)}</h2><div class="items">{cards}</div>')
    return parts


def _card(item: Item) -> str:
    path = Path(item.path)
    others = [path.with_suffix(ending).as_posix() for ending in OTHER_FORMATS[path.suffix]]
    links = "".join(f'<a href="{html(x)}">{Path(x).suffix[1:]}</a>' for x in others)
    title = f'<a href="{html(item.path)}">{html(item.title)}</a>'
    thumb = (
        f'<a class="thumb" href="{html(item.path)}" tabindex="-1" aria-hidden="true">'
        f'<img alt="" loading="lazy" src="{html(path.with_suffix(".png").as_posix())}"></a>'
        if path.suffix == ".svg"
        else ""
    )
    text = f"<h3>{title}</h3><p>{html(item.caption)}</p>"
    return f'<article class="card item">{thumb}{text}<div class="formats">{links}</div></article>'


def _more(found: Found) -> list[str]:
    there = [name for name in DATA if (found.folder / "tables" / f"{name}.csv").is_file()]
    data = "".join(
        f'<tr><td><a href="tables/{x}.csv">{x}.csv</a></td><td>{DATA[x]}</td></tr>' for x in there
    )
    versions = "".join(
        f"<tr><td>{html(name)}</td><td>{html(str(version))}</td></tr>"
        for name, version in found.about["versions"].items()
    )
    return [
        f'<h2>Data</h2><div class="scroll"><table class="facts">{data}</table></div>',
        "<h2>The run</h2>"
        '<p><a href="config.yaml">configuration</a> · <a href="run.json">versions, '
        'machine and source files</a> · <a href="manifest.json">checksums of all files</a></p>'
        f'<details><summary>Versions</summary><table class="facts">{versions}</table></details>',
    ]
