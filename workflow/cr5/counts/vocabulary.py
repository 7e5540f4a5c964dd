"""The words of a model: chosen by its training documents among those of the bags."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from cr5.base.errors import LeftOutError
from cr5.counts.bags import Bags, most_frequent
from cr5.counts.rules import Rules


def of_training(bags: Bags, concepts: Iterable[str], rules: Rules, language: str) -> Bags:
    """Keep the words that training documents choose (Cr5, Sec. 4.1).

    Args:
        bags: of one language, with all words that a model may choose from.
        concepts: of the training documents.
        rules: `vocabulary` says whether they choose, and by which frequency.
        language: for messages.

    Returns:
        All documents, with the chosen words and their frequencies in the training documents; by
        descending frequency, ties by the word. The same bags if training does not choose.

    Raises:
        LeftOutError: no word is in enough training documents.
    """
    if not rules.training_chooses:
        return bags
    counts, n_words = bags.counts[bags.rows(concepts)], len(bags.words)
    in_documents = in_collection = np.bincount(counts.indices, minlength=n_words)
    if counts.dtype.kind != "f":  # weights say nothing of how often a word occurs
        in_collection = np.bincount(counts.indices, counts.data, n_words).astype(np.int64)
    frequency = in_documents if rules.vocabulary == "training_df" else in_collection
    chosen = most_frequent(bags.words["word"].tolist(), in_documents, frequency, rules)
    if not len(chosen):
        raise LeftOutError(
            f"language {language!r}: none of the {n_words} words is in {rules.min_documents} "
            "training documents or more (key bags.min_documents); lower it, or bring more documents"
        )
    columns = chosen[: rules.max_words]
    kept = bags.select(bags.words["word"].iloc[columns].tolist())
    words = {"document_frequency": in_documents, "collection_frequency": in_collection}
    return replace(kept, words=kept.words.assign(**{x: y[columns] for x, y in words.items()}))
