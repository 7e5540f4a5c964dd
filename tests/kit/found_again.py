"""What an index finds among the test documents of a run, against what the evaluation found."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import cr5

ROUNDING = 1e-6  # the evaluation's float32 scores are off by up to 2e-7, csls by twice that
KEYS = ["query_language", "target_language", "similarity"]


def differences(results: Path, system: str) -> Iterator[str]:
    """Search every test query of every direction, by every measure; name those that differ."""
    model = cr5.load(results, system, "joint")
    candidates = pd.read_parquet(results / "draws" / "1" / "candidates.parquet")
    concepts = {x: sorted(rows["concept"]) for x, rows in candidates.groupby("language")}
    index, texts = cr5.Index(model), {}
    for language, every in concepts.items():
        frame = pd.read_parquet(results / "documents" / language / "documents.parquet")
        texts[language] = frame.set_index("concept")["text"][every]
        index.add(every, texts[language], language)
    found = pd.read_parquet(results / "ranks/joint" / system / "1/documents/queries.parquet")
    if len(found) < 100:
        yield f"{system}: only {len(found)} queries"
    for (source, target, name), queries in found.groupby(KEYS):
        given = texts[source][queries["query"]].tolist()
        hits = index.search(given, source, 25, name, target)
        expected = zip(queries["query"], queries["nearest"], queries["scores"], strict=True)
        for (query, nearest, scores), own in zip(expected, hits, strict=True):
            by_id = {hit.id: hit.score for hit in own}
            again = [by_id.get(x, np.nan) for x in nearest]  # ties may stand in another order
            best = [hit.score for hit in own[: len(nearest)]]
            if not (
                np.allclose(again, scores, 0, ROUNDING) and np.allclose(best, scores, 0, ROUNDING)
            ):
                yield f"{system}, {query} in {source}-{target} by {name}: {nearest}, {own}"
