"""Draw queries and candidates of one repetition, for all settings."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cr5.base.artefacts import Job
from cr5.base.errors import UserError
from cr5.contracts.step import Paths, Step
from cr5.splits.options import TOGETHER, Pair, Sizes

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger(__name__)
COLUMNS = ["concept", "n_tokens", "n_unique"]
EQUAL_TEXTS = "%d concepts have the text of another; %d of them neither train nor are searched"


class DrawStep(Step):
    """Draw queries and candidates of one repetition, for all settings."""

    languages: tuple[str, ...]
    pairs: tuple[Pair, ...]
    splits: Sizes
    asked: tuple[dict[str, str], ...] = ()
    """Queries that the report is to show, which are drawn: language and concept or title."""
    seed: int

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `draw` from the `bags` of each language and, if they count, its `documents`."""
        from cr5.splits import copies
        from cr5.splits.draw import draw

        tables = self._tables(inputs)
        folders = inputs.all("documents")
        groups = None
        if self.splits.duplicates == TOGETHER:
            groups = copies.groups(texts for _, texts in read_folded(tables, folders))
        drawn = draw(
            tables,
            self.pairs,
            self.splits,
            self.seed,
            groups,
            _dropped(tables, folders),
            self._wanted(tables),
        )
        for sentence in drawn.told:
            log.warning("%s", sentence)
        reason = drawn.lacking(self.pairs, self.splits)
        if reason:
            raise UserError(f"In the whole corpus {reason}")
        log.info("\n%s", drawn.pairs.to_string(index=False))
        if groups is not None:
            log.info(EQUAL_TEXTS, len(groups), len(drawn.copies))
        drawn.save(outputs.first(), job)

    def _tables(self, inputs: Paths) -> dict[str, pd.DataFrame]:
        """Return the documents that count, by language."""
        from cr5.counts import bags

        columns = list(COLUMNS)
        if self.asked:
            columns.append("title")
        folders = inputs.by(self.languages, "bags").items()
        return {name: bags.read_documents(folder, name, columns) for name, folder in folders}

    def _wanted(self, tables: Mapping[str, pd.DataFrame]) -> list[str]:
        """Return the concepts of the queries that are asked for."""
        from cr5.splits.asked import concept_of

        wanted = []
        for query in self.asked:
            titles = tables[query["query_language"]].set_index("concept")["title"]
            concept = concept_of(titles, query["document"])
            if concept is None:
                log.warning("evaluation.examples.queries: no document %s", query)
            else:
                wanted.append(concept)
        return wanted


def read_folded(tables: Mapping[str, pd.DataFrame], folders: Sequence[Path]) -> Iterator[tuple]:
    """Yield each language and the folded texts of its documents."""
    from cr5.splits import copies

    for (language, table), folder in zip(tables.items(), folders, strict=False):
        yield language, copies.read_folded(folder, table, language)


def _dropped(tables: Mapping[str, pd.DataFrame], folders: Sequence[Path]) -> set[str]:
    """Return the concepts of which no language has a document that counts."""
    from cr5.counts.documents import stream

    concepts = set()
    for folder in folders:
        concepts.update(concept for (concept,) in stream(folder, ["concept"]))
    for table in tables.values():
        concepts.difference_update(table["concept"])
    return concepts
