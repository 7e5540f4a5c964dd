"""The table of examples: queries, and the documents nearest to them."""

import numpy as np
import pandas as pd

from cr5.report.frames import by_direction, rows_with
from cr5.report.names import direction, similarity_name
from cr5.report.run import Run
from cr5.report.table import Cell, Table, count, layout
from cr5.scores.ranks import DIRECTION
from cr5.splits.asked import concept_of

EXAMPLES = 2  # queries of a direction
EXAMPLE = DIRECTION + ["concept", "title", "rank_of_truth", "neighbour_rank", "neighbour"]
ALL_LEFT = 99  # columns


def examples(run: Run) -> Table | None:
    """Some queries and the documents nearest to them, by title; the right one is in bold.

    After the Cr5 paper's Table 2; the queries are random unless the configuration names some.
    """
    if run.nearest.empty:
        return None
    ranks = run.nearest.rename(columns={"query": "concept", "rank": "rank_of_truth"})
    first = ranks.iloc[0]
    system = run.systems.named(first["system"], first["setting"])
    notes = [
        f"Nearest documents of {system}, by {similarity_name(first['similarity'])}.",
        "A heading a→b means queries in a and candidates in b. The true counterpart is bold, "
        "where it is shown; its rank is that among all candidates.",
    ]
    if run.facts.examples.queries:
        queries, missing = _named_queries(run, ranks)
        notes += missing
    else:
        queries = _random_queries(run, ranks)
    if queries.empty:
        return Table([], pd.DataFrame(columns=EXAMPLE), notes)
    rows = _neighbours(run, queries)
    blocks = _example_blocks(rows)
    return Table(blocks, rows[EXAMPLE], notes, n_left=ALL_LEFT)


def _example_blocks(rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Lay out the neighbours of queries, a block per direction; the true counterpart is bold."""
    is_true = rows["nearest"] == rows["concept"]
    cells = []
    for title, is_bold in zip(rows["neighbour"], is_true, strict=True):
        cells.append(Cell(title) if is_bold else title)
    ranks = rows["rank_of_truth"].map(count)
    shown = rows.assign(rank_of_truth=ranks, cell=cells)
    blocks = []
    for (query_language, target_language), queries in shown.groupby(DIRECTION, sort=False):
        wide = layout(queries, ["concept", "title", "rank_of_truth"], "neighbour_rank")
        without_concepts = wide.drop(columns="Concept")
        heading = direction(query_language, target_language)
        blocks.append((heading, without_concepts))
    return blocks


def _neighbours(run: Run, queries: pd.DataFrame) -> pd.DataFrame:
    """Return a row per query and document that is near, both with their titles."""
    n_shown = run.facts.examples.neighbours
    nearest = queries["nearest"].str[:n_shown]
    rows = queries.assign(nearest=nearest).explode("nearest")
    titles = _titles(run, rows["query_language"], rows["concept"])
    neighbours = _titles(run, rows["target_language"], rows["nearest"])
    n_nearer = rows.groupby(level=0).cumcount()
    return rows.assign(
        title=titles,
        neighbour=neighbours,
        neighbour_rank=1 + n_nearer,
    )


def _titles(run: Run, languages: pd.Series, concepts: pd.Series) -> list[str]:
    """Return the title of each document, given by its language and its concept."""
    documents = zip(languages, concepts, strict=True)
    return [_title(run, language, concept) for language, concept in documents]


def _random_queries(run: Run, ranks: pd.DataFrame) -> pd.DataFrame:
    generator = np.random.default_rng(run.facts.seed)
    concepts = ranks[["concept"]].drop_duplicates()
    shuffled = concepts.sample(frac=1, random_state=generator)
    queries = shuffled.merge(ranks)
    queries = by_direction(queries)
    return queries.groupby(DIRECTION).head(EXAMPLES)


def _named_queries(run: Run, ranks: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return rows of queries that the configuration names, and a sentence for each missing one."""
    frames = []
    missing = []
    for query in run.facts.examples.queries:
        titles = run.titles[query.query_language]
        rows = rows_with(
            ranks,
            concept=concept_of(titles, query.document),
            query_language=query.query_language,
            target_language=query.target_language,
        )
        frames.append(rows)
        if rows.empty:
            pair = direction(query.query_language, query.target_language)
            missing.append(f"No test query of {pair}: {query.document}.")
    return pd.concat(frames).reset_index(drop=True), missing


def _title(run: Run, language: str, concept: str) -> str:
    """Return the title of a document, or of its concept in the language of the configuration.

    Where there is none, the concept.
    """
    language_of_titles = run.facts.examples.titles
    titles = run.titles.get(language_of_titles, {})
    title = titles.get(concept) or run.titles[language][concept]
    words_of_title = title.split()
    return " ".join(words_of_title) or concept
