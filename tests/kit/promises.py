"""What README and docs/reliability.md promise of a finished run: each a list of violations."""

import importlib.metadata
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd

from tests.kit import found_again, independent, inside
from tests.kit.cells import cells_are_the_values_of_the_scores
from tests.kit.run import MEANS, Run, scores

TABLES = ("systems", "table1", "table2", "languages", "pairs", "task_search")
FIGURES = ("precision_at_k", "precision_at_k_pairs", "validation", "overlap", "add_data")
IN_RUN_FILES = ("Success@1", "Success@5", "Success@10", "AP", "nDCG@10", "P@5")
DIRECTION = ["query", "target"]
ROW = ["setting", "system", "task", *DIRECTION, "similarity"]
Promise = Callable[[Run], Iterator[str]]


def all_tables_and_figures_are_there(run: Run) -> Iterator[str]:
    tables = [f"report/{x}.{y}" for x in TABLES for y in ("csv", "md", "tex")]
    figures = [f"report/{x}.{y}" for x in FIGURES for y in ("svg", "png", "pdf")]
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


def every_direction_has_its_scores(run: Run) -> Iterator[str]:
    """All systems but those that are left out, in all directions; words one way and the other."""
    found = scores(run.results).groupby(["setting", "task", "system"])[DIRECTION]
    directions = found.apply(lambda frame: len(frame.drop_duplicates())).to_dict()
    for setting, task, n in (
        ("joint", "documents", 6),
        ("transitive_da-it", "documents", 2),
        ("other_tasks_da-en", "sentences", 2),
        ("other_tasks_da-en", "lexicon_induction", 2),
        ("other_tasks_da-en", "search", 2),
        ("other_tasks_da-en", "classes", 2),  # towards the language with labels, itself too
    ):
        every = set(run.configuration["systems"]) - {"nothing_shared"}
        named = {"transitive_da-it": ["cr5"], "other_tasks_da-en": ["procrustes"]}
        for system in named.get(setting, sorted(every)):
            if (has := directions.get((setting, task, system), 0)) != n:
                yield f"{setting}, {task}, {system}: {has} directions of {n}"


def a_table_has_the_means_of_the_scores(run: Run) -> Iterator[str]:
    """Over the directions of a setting, or of several settings of a pair each."""
    keys = ["series", "system", "task", "similarity", "metric"]
    kinds = "kind in ['joint', 'pairwise']"
    means = scores(run.results).query(kinds).groupby(keys)["value"].mean()
    table = scores(run.results, MEANS).query(kinds)
    found = table.set_index(keys)["value"]
    for key in found.index:
        if not np.isclose(found[key], means[key], rtol=1e-4):
            yield f"{key}: {found[key]}, not {means[key]}"
    if len(found) < 50:
        yield f"only {len(found)} means"


def no_query_trains(run: Run) -> Iterator[str]:
    drawn = inside.queries(run.results)
    for setting in inside.settings(run.results):
        for language in run.configuration["languages"]:
            both = set(inside.trained(run.results, setting, language)) & set(drawn["concept"])
            yield from (f"{setting}, {language}: {concept} trains" for concept in sorted(both))


def no_word_that_is_asked_for_was_learnt(run: Run) -> Iterator[str]:
    """The same dictionary trains with its first entries and asks for others."""
    setting = "other_tasks_da-en"
    pairs = inside.fit_of(run.results, setting, "procrustes")["fit"]["pairs"]
    limit = run.configuration["dictionary"]["limit"]
    if not all(0 < x["seed_pairs"] <= limit for x in pairs.values()):
        yield f"{pairs}: more than {limit} pairs train"
    for query, target in (("da", "en"), ("en", "da")):
        lines = (run.folder / "given" / f"{query}-{target}.dict").read_text().splitlines()
        trained = {line.split()[0] for line in lines[:limit]}
        asked = inside.asked(run.results, setting, "procrustes", "lexicon_induction", query, target)
        yield from (f"{query}-{target}: {word} trains" for word in sorted(asked & trained))
        if not asked:
            yield f"{query}-{target}: no word is asked for"


def linked_languages_share_no_concept(run: Run) -> Iterator[str]:
    """`transitive` learns from what each language of a pair shares with a third one alone."""
    da, en, it = (
        set(inside.trained(run.results, "transitive_da-it", x)) for x in ("da", "en", "it")
    )
    if da & it or not (da & en and it & en):
        yield f"{len(da & it)} concepts train in both; {len(da & en)} and {len(it & en)} link them"


def fewer_concepts_are_some_of_more(run: Run) -> Iterator[str]:
    settings = "low_resource_da-it_20", "low_resource_da-it_40", "joint"
    of = [set(inside.trained(run.results, x, "da")) for x in settings]
    if [len(x) for x in of[:2]] != [20, 40] or not of[0] < of[1] < of[2]:
        yield f"{[len(x) for x in of]} concepts, or not within each other"


def all_settings_ask_the_same_queries(run: Run) -> Iterator[str]:
    for query, target in (("da", "it"), ("it", "da")):
        place = "cr5", "documents", query, target
        every = {x: inside.asked(run.results, x, *place) for x in ("joint", "transitive_da-it")}
        every["few"] = inside.asked(run.results, "low_resource_da-it_20", *place)
        if not every["few"] or len({frozenset(x) for x in every.values()}) > 1:
            yield f"{query}-{target}: {every}"


def every_query_is_ranked(run: Run) -> Iterator[str]:
    drawn = inside.queries(run.results)
    expected = drawn[drawn["role"] == "test"].groupby(["first", "second"])["concept"].nunique()
    found = scores(run.results).query("task == 'documents' and metric == 'Success@1'")
    for row in found.itertuples():
        n = expected[tuple(sorted((row.query, row.target)))]
        if row.n_queries != n:
            yield f"{row.setting}, {row.system}, {row.query}-{row.target}: {row.n_queries} of {n}"


def scores_are_those_of_an_independent_computation(run: Run) -> Iterator[str]:
    ours = scores(run.results).set_index([*ROW, "metric"])["value"]
    for setting, query, target in (("joint", "da", "en"), ("transitive_da-it", "it", "da")):
        again = independent.scores(run.results, setting, "cr5", query, target)
        for similarity, metrics in again.items():
            for metric, value in metrics.items():
                key = (setting, "cr5", "documents", query, target, similarity, metric)
                if not np.isclose(ours[key], value, atol=1e-5):
                    yield f"{key}: {ours[key]}, and {value} by others"


def classes_are_those_of_the_nearest_document(run: Run) -> Iterator[str]:
    place = "other_tasks_da-en", "procrustes", "classes"
    ours = scores(run.results).query("similarity == 'cosine'").set_index(ROW[:5])["value"]
    for query in ("da", "en"):
        labels = [
            {x["id"]: x["label"] for x in map(json.loads, path.read_text().splitlines())}
            for path in (run.folder / "given" / f"{x}.labelled.jsonl" for x in (query, "en"))
        ]
        value = independent.accuracy(run.results, *place[:2], (query, "en"), labels)
        if not np.isclose(ours[(*place, query, "en")], value, atol=1e-5):
            yield f"{query}: {ours[(*place, query, 'en')]}, and {value} by others"


def an_index_finds_what_the_evaluation_found(run: Run) -> Iterator[str]:
    for system in ("cr5", "procrustes", "lexical_overlap"):
        yield from found_again.differences(run.results, system)


def run_files_have_the_scores(run: Run) -> Iterator[str]:
    """By ir-measures, from the TREC files alone."""
    metrics = {x: ir_measures.parse_measure(x) for x in IN_RUN_FILES}
    every = scores(run.results)
    for place, expected in every[every["metric"].isin(metrics)].groupby(ROW):
        setting, system, task, query, target, similarity = place
        folder = run.results / "runs" / setting / system / "1" / task
        qrels = list(ir_measures.read_trec_qrels(str(folder / f"{query}-{target}.qrels")))
        name = folder / f"{query}-{target}.{similarity}.run"
        found = ir_measures.calc_aggregate(
            list(metrics.values()), qrels, ir_measures.read_trec_run(str(name))
        )
        for row in expected.itertuples():
            if not np.isclose(found[metrics[row.metric]], row.value, atol=1e-5):
                yield f"{place}: {row.metric} {found[metrics[row.metric]]}, not {row.value}"


def what_is_left_out_is_named(run: Run) -> Iterator[str]:
    left_out = pd.read_csv(run.results / "tables" / "left_out.csv")
    named, reason = left_out[left_out["system"] == "nothing_shared"], "0 pairs of words"
    if named.empty or not named["reason"].str.contains(reason).all():
        yield f"tables/left_out.csv: {left_out}"
    for name in ("report/systems.md", "report.html"):
        if "0 pairs of words (seeds: numerals)" not in (run.results / name).read_text(
            encoding="utf-8"
        ):
            yield f"{name} does not name it"


def differences_are_tested(run: Run) -> Iterator[str]:
    tests = pd.read_csv(run.results / "tables" / "significance.csv")
    joint = tests[(tests["setting"] == "joint") & (tests["metric"] == "Success@1")]
    if joint.empty or not joint["p_holm"].between(0, 1).all():
        yield "tables/significance.csv has no p of the joint setting"
    if (joint["p_holm"] < joint["p"] - 1e-12).any():
        yield "a corrected p is smaller than it was"
    found = scores(run.results)
    if not (found["ci_low"] - 1e-9 <= found["value"]).all():
        yield "an interval lies above its value"
    if not (found["value"] <= found["ci_high"] + 1e-9).all():
        yield "an interval lies below its value"


def results_say_what_made_them(run: Run) -> Iterator[str]:
    made = json.loads((run.results / "run.json").read_text(encoding="utf-8"))
    fit = inside.fit_of(run.results, "joint", "toy")
    said = {
        "seed": fit["seed"],
        "option": made["config"]["systems"]["toy"]["dimension"],
        "snakemake": made["installed"]["snakemake"],
        "numpy": fit["versions"]["numpy"],
        "file": made["sources"]["da"]["files"],
        "processor": bool(made["machine"]["processor"]),
    }
    versions = {x: importlib.metadata.version(x) for x in ("snakemake", "numpy")}
    expected = {"seed": 123, "option": 20, "file": ["da.jsonl.xz"], "processor": True, **versions}
    yield from (f"{x}: {said[x]}, not {expected[x]}" for x in said if said[x] != expected[x])


def jobs_keep_to_what_common_processors_have(run: Run) -> Iterator[str]:
    """By what a system of one's own finds in its environment, and by what libraries say."""
    fit, variables = inside.fit_of(run.results, "joint", "toy"), inside.common_processor()
    if fit["fit"]["kernels"] != variables.get("OPENBLAS_CORETYPE"):
        yield f"jobs compute as {fit['fit']['kernels']}"
    if variables.keys() - os.environ.keys() and fit["processor"]["kernels"] != ["Haswell"]:
        yield f"libraries compute as {fit['processor']}"


def every_job_has_a_log_and_long_ones_a_benchmark(run: Run) -> Iterator[str]:
    logs, benchmarks = (
        {str(x.relative_to(part).with_suffix("")) for x in run.files(part)}
        for part in ("logs", "benchmarks")
    )
    long = {x for x in logs if x.partition("/")[0] in ("vectors", "fit", "rank")}
    yield from (f"{x} has but one of them" for x in sorted(long ^ benchmarks))
    if len(logs) < 20:
        yield f"there are only {len(logs)} logs"


def no_path_of_this_machine_is_in_them(run: Run) -> Iterator[str]:
    """Of what jobs hand on: two machines make the same bytes."""
    here = str(run.folder).encode()
    for part in ("bags", "draws", "settings", "models", "ranks", "tables", "report"):
        for path in run.files(part):
            if here in (run.results / path).read_bytes():
                yield f"{path} has the path of the run"


def verify_finds_nothing(run: Run) -> Iterator[str]:
    done = run.cr5("verify", _place(run), check=False)
    if done.returncode:
        yield done.stdout


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
        every_direction_has_its_scores,
        a_table_has_the_means_of_the_scores,
        no_query_trains,
        no_word_that_is_asked_for_was_learnt,
        linked_languages_share_no_concept,
        fewer_concepts_are_some_of_more,
        all_settings_ask_the_same_queries,
        every_query_is_ranked,
        scores_are_those_of_an_independent_computation,
        classes_are_those_of_the_nearest_document,
        an_index_finds_what_the_evaluation_found,
        run_files_have_the_scores,
        what_is_left_out_is_named,
        differences_are_tested,
        cells_are_the_values_of_the_scores,
        results_say_what_made_them,
        jobs_keep_to_what_common_processors_have,
        every_job_has_a_log_and_long_ones_a_benchmark,
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
