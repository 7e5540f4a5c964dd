"""What README and docs/reliability.md promise of a finished run: each a list of violations."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

import ir_measures
import numpy as np
import pandas as pd

from tests.kit import independent, inside
from tests.kit.run import Run

TABLES = ("systems", "table1", "table2", "reproduction", "languages", "pairs")
FIGURES = ("precision_at_k", "precision_at_k_csls", "validation", "overlap")
DIRECTION = ["query", "target"]
ROW = ["setting", "system", "task", *DIRECTION, "similarity"]
Promise = Callable[[Run], Iterator[str]]


def scores(run: Run) -> pd.DataFrame:
    """The run's tidy table of scores."""
    return pd.read_csv(run.results / "tables" / "scores.csv")


def all_tables_and_figures_are_there(run: Run) -> Iterator[str]:
    tables = [f"tables/{x}.{y}" for x in TABLES for y in ("csv", "md", "tex", "html")]
    figures = [f"figures/{x}.{y}" for x in FIGURES for y in ("svg", "png", "pdf")]
    for name in ("report.html", "explore/index.html", "run.json", *tables, *figures):
        path = run.results / name
        if not path.is_file() or not path.stat().st_size:
            yield f"{name} is missing or empty"


def links_lead_to_files(run: Run) -> Iterator[str]:
    page = (run.results / "report.html").read_text(encoding="utf-8")
    links = set(re.findall(r'(?:href|src)="([^"#:]+)"', page))
    yield from (f"{x} is not there" for x in sorted(links) if not (run.results / x).exists())
    if len(links) < 20:
        yield f"the report has only {len(links)} links"


def pages_need_no_network(run: Run) -> Iterator[str]:
    for path in (run.results / "report.html", *(run.results / "explore").rglob("*.html")):
        page = path.read_text(encoding="utf-8")
        yield from re.findall(
            r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?//[^"]+', page
        )


def no_query_trains(run: Run) -> Iterator[str]:
    drawn = inside.queries(run.results)
    for setting in inside.settings(run.results):
        for language in run.configuration["languages"]:
            both = set(inside.trained(run.results, setting, language)) & set(drawn["concept"])
            yield from (f"{setting}, {language}: {concept} trains" for concept in sorted(both))


def every_query_is_ranked(run: Run) -> Iterator[str]:
    drawn = inside.queries(run.results)
    expected = drawn[drawn["role"] == "test"].groupby(["first", "second"])["concept"].nunique()
    found = scores(run).query("task == 'documents' and metric == 'Success@1'")
    for row in found.itertuples():
        n = expected[tuple(sorted((row.query, row.target)))]
        if row.n_queries != n:
            yield f"{row.setting}, {row.system}, {row.query}-{row.target}: {row.n_queries} of {n}"


def scores_are_those_of_an_independent_computation(run: Run) -> Iterator[str]:
    ours = scores(run).set_index([*ROW, "metric"])["value"]
    for setting, query, target in (("joint", "da", "en"), ("transitive_da-it", "it", "da")):
        again = independent.scores(run.results, setting, "cr5", query, target)
        for similarity, metrics in again.items():
            for metric, value in metrics.items():
                key = (setting, "cr5", "documents", query, target, similarity, metric)
                if not np.isclose(ours[key], value, atol=1e-5):
                    yield f"{key}: {ours[key]}, and {value} by others"


def run_files_have_the_scores(run: Run) -> Iterator[str]:
    """By ir-measures, from the TREC files alone."""
    expected = scores(run)
    metric = {x: ir_measures.parse_measure(x) for x in ("Success@1", "Success@5", "Success@10")}
    expected = expected[expected["metric"].isin(metric)]
    for row in expected.itertuples():
        folder = run.results / "runs" / row.setting / row.system / "1" / row.task
        files = f"{row.query}-{row.target}.qrels", f"{row.query}-{row.target}.{row.similarity}.run"
        qrels = list(ir_measures.read_trec_qrels(str(folder / files[0])))
        ranked = list(ir_measures.read_trec_run(str(folder / files[1])))
        value = ir_measures.calc_aggregate([metric[row.metric]], qrels, ranked)[metric[row.metric]]
        if not np.isclose(value, row.value, atol=1e-6):
            yield f"{row.setting}, {row.system}, {unquote(files[1])}: {value}, not {row.value}"


def what_is_left_out_is_named(run: Run) -> Iterator[str]:
    left_out = pd.read_csv(run.results / "tables" / "left_out.csv")
    named = left_out[left_out["system"] == "nothing_shared"]
    if named.empty or not named["reason"].str.contains("0 identical strings").all():
        yield f"tables/left_out.csv: {left_out}"
    for name in ("tables/systems.md", "report.html"):
        if "identical strings" not in (run.results / name).read_text(encoding="utf-8"):
            yield f"{name} does not name it"


def differences_are_tested(run: Run) -> Iterator[str]:
    tests = pd.read_csv(run.results / "tables" / "significance.csv")
    joint = tests[(tests["setting"] == "joint") & (tests["metric"] == "Success@1")]
    if joint.empty or not joint["p_holm"].between(0, 1).all():
        yield "tables/significance.csv has no p of the joint setting"
    if (joint["p_holm"] < joint["p"] - 1e-12).any():
        yield "a corrected p is smaller than it was"
    found = scores(run)
    if not (found["ci_low"] - 1e-9 <= found["value"]).all():
        yield "an interval lies above its value"
    if not (found["value"] <= found["ci_high"] + 1e-9).all():
        yield "an interval lies below its value"


def results_say_what_made_them(run: Run) -> Iterator[str]:
    said = (run.results / "run.json").read_text(encoding="utf-8")
    for word in ("seed", "numpy", "snakemake", "processor", "sha256"):
        if word not in said:
            yield f"run.json does not tell {word}"


def no_path_of_this_machine_is_in_them(run: Run) -> Iterator[str]:
    """Of what jobs hand on: two machines make the same bytes."""
    here = str(run.folder).encode()
    for part in ("bags", "draws", "settings", "models", "ranks", "tables", "figures"):
        for path in run.files(part):
            if here in (run.results / path).read_bytes():
                yield f"{path} has the path of the run"


def verify_finds_nothing(run: Run) -> Iterator[str]:
    done = run.cr5("verify", _place(run), "--again", "0", check=False)
    if done.returncode:
        yield done.stdout + done.stderr


def _place(run: Run) -> str:
    return str(run.results.relative_to(run.folder))


def there_is_nothing_to_do(run: Run) -> Iterator[str]:
    yield from run.planned()


PROMISES: dict[str, Promise] = {
    each.__name__: each
    for each in (
        all_tables_and_figures_are_there,
        links_lead_to_files,
        pages_need_no_network,
        no_query_trains,
        every_query_is_ranked,
        scores_are_those_of_an_independent_computation,
        run_files_have_the_scores,
        what_is_left_out_is_named,
        differences_are_tested,
        results_say_what_made_them,
        no_path_of_this_machine_is_in_them,
        verify_finds_nothing,
        there_is_nothing_to_do,
    )
}


def changed(run: Run, path: str | Path, old: str, new: str) -> None:
    """Replace words of a file of the run's copy of the workflow."""
    file = run.folder / path
    text = file.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old!r}"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
