"""The tables of a run: scores as means and by direction, and what the corpus has."""

import numpy as np
import pandas as pd

from cr5.fitting.options import FOUND_NOTHING
from cr5.report.fits import ReportedFit
from cr5.report.frames import by_direction, rows_with
from cr5.report.names import direction, similarity_name, words
from cr5.report.run import Run
from cr5.report.table import DAGGER, NOTHING, Table, count, figures, layout, plain
from cr5.scores.ranks import DIRECTION

METRICS = ["Success@1", "Success@5", "Success@10"]
MOST = 4  # metrics that are printed of a task
ENOUGH = 50  # queries of a direction; fewer give wide intervals
COUNTS = ["directions", "repetitions", "n_queries", "n_candidates"]
MEAN_FIGURES = ["value", "ci_low", "ci_high", "published", "best"]
DIRECTION_FIGURES = ["value", "published", "best"]
PUBLISHED_ROW = ["paper", "table", "row", "system", "setting", "task"]
PUBLISHED = DIRECTION + ["similarity", "metric", "published", "ours", "difference", "tolerance"]
PUBLISHED += ["n_queries", "n_candidates", "verdict"]
SIZES = ["concepts", "train", "validation", "test"]
HOW_TO_READ = [
    "Percent; a→b has queries in a and candidates in b. Means give all directions equal weight: "
    "compare only those over the same directions.",
    "Success@k is the share of queries with a relevant document among the k nearest; the Cr5 paper "
    "prints it as P@k. Metrics are those of ir-measures, but ties count against the query.",
    "Bold: of the systems of a setting, the best by a measure and metric, and those that do not "
    "differ from it significantly (randomisation test over queries, level .05, Holm's correction); "
    "all tests are in significance.csv. In brackets: 95 % intervals over queries and repetitions "
    "(Wilson's). In parentheses: published figures.",
]
HOW_TO_JUDGE = (
    "Percent, or numbers of documents in both languages that train. Equal: a difference of at most "
    "two standard errors, of the paper's queries and ours, and of at most half of what lies "
    "between the figure and chance. No verdict where the paper's number of queries is not known, "
    "or an option that it states has another value."
)
FEW = (
    f"Some directions have fewer than {ENOUGH} queries: such figures vary by several points "
    "between draws."
)


def printed(means: pd.DataFrame) -> list[str]:
    """Return the first `MOST` metrics of each task, without duplicates."""
    pairs = means[["task", "metric"]].drop_duplicates()
    metrics_of_tasks = pairs.groupby("task", sort=False)["metric"]
    first_metrics = metrics_of_tasks.head(MOST)
    return list(dict.fromkeys(first_metrics))


def ordered(means: pd.DataFrame) -> pd.DataFrame:
    """Order the systems of each setting by falling first metric; settings as they appear."""
    metrics = means["metric"]
    settings = means["setting"]
    is_first_metric = metrics == metrics.iloc[0]
    first = means["value"].where(is_first_metric)
    by_system = first.groupby([settings, means["system"]])
    value = by_system.transform("max").fillna(-1)
    setting_numbers, _ = pd.factorize(settings)
    order = np.lexsort((-value, setting_numbers))  # by the last key first
    return means.iloc[order]


def systems(run: Run) -> Table:
    """Means over the directions of a setting with 95 % intervals.

    The first block of a task has each system by its own first measure, named where it is another.
    """
    means = run.means
    blocks = []
    for task, task_means in means.groupby("task", sort=False):
        blocks += _blocks_of_task(task, task_means, run)
    reasons = [found_nothing(run, fit) for fit in _fits(means)]
    tidy = means.drop(columns=DIRECTION + ["label"])
    tidy = tidy.assign(found_nothing=reasons)
    shown = set(means["system"])
    notes = those_that_found_nothing(run, means)
    notes += HOW_TO_READ
    notes.append("Dimension: as chosen on validation queries or given.")
    notes += _reservations(run, run.scores, run.left_out)
    notes += [warning for warning in run.fits.warnings if FOUND_NOTHING not in warning]
    notes += run.systems.references(shown)
    return Table(blocks, tidy, notes, n_left=2)


def _blocks_of_task(task: str, means: pd.DataFrame, run: Run) -> list[tuple[str, pd.DataFrame]]:
    """Lay out the means of a task: each system by its own first measure, then all by the others."""
    first_measure, *other_measures = _measures(means, run)
    first_rows = rows_with(run.first_means, task=task)
    blocks = [_block_of_measure(task, first_measure, first_rows, run)]
    for measure in other_measures:
        rows = rows_with(means, similarity=measure)
        block = _block_of_measure(task, measure, rows, run)
        blocks.append(block)
    return blocks


def _block_of_measure(
    task: str, measure: str, rows: pd.DataFrame, run: Run
) -> tuple[str, pd.DataFrame]:
    """Lay out means of a task by a measure, under a heading that names both."""
    title = f"{words(task).capitalize()}, {similarity_name(measure)}"
    return title, _mean_rows(rows, measure, run)


def _measures(means: pd.DataFrame, run: Run) -> list[str]:
    """Return the measures of a task, the run's first one in front."""
    measures = list(means["similarity"].unique())
    if run.facts.measure in measures:
        measures.remove(run.facts.measure)
        measures.insert(0, run.facts.measure)
    return measures


def _mean_rows(means: pd.DataFrame, measure: str, run: Run) -> pd.DataFrame:
    """Lay out means by one measure, of the metrics that are printed."""
    metrics = printed(run.means)
    is_printed = means["metric"].isin(metrics)
    shown = ordered(means[is_printed])
    rows = shown.assign(
        cell=figures(shown[MEAN_FIGURES]),
        dimension=[_dimension(run, fit) for fit in _fits(shown)],
        system=titles(shown, measure, run),
    )
    return layout(rows, ["setting", "system", "dimension"], "metric", COUNTS)


def _dimension(run: Run, fit: ReportedFit) -> str:
    """Print the dimensions of fits that are reported as one."""
    dimensions = run.fits.dimensions.get(fit, ())
    texts = [str(dimension) for dimension in sorted(dimensions)]
    return ", ".join(texts) or NOTHING


def titles(means: pd.DataFrame, measure: str, run: Run) -> pd.Series:
    """Name the system of each row, with a dagger if it found nothing, and another measure."""
    systems = means["system"].map(run.systems.title)
    daggers = [_dagger(run, fit) for fit in _fits(means)]
    measures = [_other_measure(similarity, measure) for similarity in means["similarity"]]
    return systems + daggers + measures


def _other_measure(similarity: str, measure: str) -> str:
    """Name a measure in brackets if it is not the one that is expected."""
    if similarity == measure:
        return ""
    return f" ({similarity_name(similarity)})"


def _dagger(run: Run, fit: ReportedFit) -> str:
    """Return the mark of fits that found nothing; of others, nothing."""
    return DAGGER if fit in run.fits.found_nothing else ""


def found_nothing(run: Run, fit: ReportedFit) -> str | None:
    """Say that figures are those of chance, as the fits warn; None where they do not."""
    repetitions_of = run.fits.found_nothing.get(fit)
    if not repetitions_of:
        return None
    n_repetitions = run.facts.repetitions
    warnings = []
    for warning, repetitions in repetitions_of.items():
        if n_repetitions > 1:
            n_warned = len(set(repetitions))
            warning += f" (in {n_warned} of {n_repetitions} repetitions)"
        warnings.append(warning)
    title = run.systems.named(fit.system, words(fit.label))
    return f"{title}: {'; '.join(warnings)}"


def those_that_found_nothing(run: Run, means: pd.DataFrame) -> list[str]:
    """Return a line for each of the fits behind these means that found nothing."""
    lines = []
    for fit in _distinct_fits(means):
        line = found_nothing(run, fit)
        if line:
            lines.append(f"{DAGGER} {line}")
    return lines


def _fits(means: pd.DataFrame) -> list[ReportedFit]:
    """Return the setting and system of each row."""
    settings_and_systems = means[["setting", "system"]].itertuples(index=False)
    return [ReportedFit(setting, system) for setting, system in settings_and_systems]


def _distinct_fits(means: pd.DataFrame) -> list[ReportedFit]:
    """Return the setting and system of rows, each once, as they appear."""
    return list(dict.fromkeys(_fits(means)))


def directions(run: Run, task: str) -> Table | None:
    """Each system, setting and direction, in the layout of Table 1 of the Cr5 paper.

    Of documents it has Success@k alone.
    """
    scores = rows_with(run.scores, task=task)
    if scores.empty:
        return None
    shown = scores
    if task == "documents":
        is_shown = scores["metric"].isin(METRICS)
        shown = scores[is_shown]
    blocks = []
    for (system, label), rows in shown.groupby(["system", "label"], sort=False):
        name = run.systems.named(system, label)
        dagger = _dagger(run, ReportedFit(label, system))
        title = f"{name} {dagger}".rstrip()
        laid_out = _direction_rows(rows)
        blocks.append((title, laid_out))
    left_out_of_task = rows_with(run.left_out, task=task)
    by_label = shown.assign(setting=shown["label"])
    notes = those_that_found_nothing(run, by_label)
    notes += HOW_TO_READ
    notes += _reservations(run, scores, left_out_of_task)
    return Table(blocks, scores, notes)


def _direction_rows(scores: pd.DataFrame) -> pd.DataFrame:
    """Lay out scores of one system: a row per direction, a column per measure and metric."""
    measures = scores["similarity"].map(similarity_name)
    shown = scores.assign(
        cell=figures(scores[DIRECTION_FIGURES]),
        measure=measures + " " + scores["metric"],
        direction=direction(scores["query_language"], scores["target_language"]),
    )
    rows = by_direction(shown)
    return layout(rows, ["direction"], "measure", ["n_queries", "n_candidates"])


def _reservations(run: Run, scores: pd.DataFrame, rows: pd.DataFrame) -> list[str]:
    """Say that there are few queries, and what was left out."""
    lines = []
    if scores["n_queries"].min() < ENOUGH:
        lines.append(FEW)
    return lines + left_out(rows, run)


def left_out(rows: pd.DataFrame, run: Run) -> list[str]:
    """Name what has no figures because of the data, once for each reason."""
    lines = []
    for (task, reason), group in rows.groupby(["task", "reason"], sort=False):
        titles = [run.systems.named(fit.system, fit.label) for fit in _distinct_fits(group)]
        names = "; ".join(titles)
        lines.append(f"Left out of {task}: {names}: {reason}")
    return lines


def published(run: Run) -> Table | None:
    """Every published figure that this configuration makes beside ours, with a verdict."""
    compared = run.compared
    if compared.empty:
        return None
    blocks = []
    for names, group in compared.groupby(PUBLISHED_ROW, sort=False):
        paper, table, row, system, setting, task = names
        title = f"{paper}, table {table}, {row}: {system}, {setting}, {task}"
        laid_out = plain(group[PUBLISHED])
        blocks.append((title, laid_out))
    counts = compared["verdict"].value_counts()
    verdicts = [f"{verdict} {number}" for verdict, number in counts.items()]
    notes = [f"Of {len(compared)} figures: {', '.join(verdicts)}.", HOW_TO_JUDGE]
    return Table(blocks, compared, notes, n_left=4)


def languages(run: Run) -> Table:
    """Documents, tokens and vocabulary of each language.

    And what became of its paragraphs, where documents are made of any.
    """
    statistics = run.statistics
    least, most = run.facts.unique_words
    limits = f"{count(least)} to {count(most)}"
    notes = [f"Kept documents have {limits} different words (bags.unique_words)."]
    paragraphs = [source["paragraphs"] for source in run.notes.values() if "paragraphs" in source]
    if paragraphs:
        counts = pd.DataFrame(paragraphs).convert_dtypes()
        known_columns = statistics.columns.drop("language")
        further_columns = counts.columns.difference(known_columns, sort=False)
        further_counts = counts[further_columns]
        statistics = statistics.merge(further_counts, "left", on="language")
        notes.append("Paragraphs dropped: left in English; apart: kept in another language only.")
    laid_out = plain(statistics)
    return Table([("", laid_out)], statistics, notes)


def pairs(run: Run) -> Table:
    """Concepts that two languages share: how many train in both, validate and test, by setting."""
    settings = run.pairs.groupby(["setting"] + DIRECTION, sort=False)
    means = settings[SIZES].mean().reset_index()
    laid_out = plain(means)
    return Table([("", laid_out)], run.pairs, n_left=3)


def files(run: Run, kind: str, task: str) -> Table:
    """Entries that are there and used, or lines by the first reason not to search for them."""
    counts = run.file_counts[kind, task]
    laid_out = plain(counts)
    return Table([("", laid_out)], counts, n_left=2)
