"""Which documents of a language are kept, and what a run reports about that."""

import logging

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.counts.rules import Rules

log = logging.getLogger(__name__)


def keep(unique: np.ndarray, rules: Rules, language: str) -> np.ndarray:
    """Numbers of the documents that have neither too few nor too many unique words.

    Args:
        unique: (documents,) number of unique words of each.
        rules: thresholds.
        language: for messages.

    Raises:
        UserError: no document passes, or none has a word.
    """
    if len(unique) and not unique.any():
        raise UserError(
            f"Language {language!r}: none of its {len(unique)} documents has a word, which is a "
            "run of letters: look at what they are made from, or leave the language out."
        )
    least, most = rules.unique_words
    kept = np.flatnonzero((unique >= least) & (unique <= most))
    few = f"{len(unique)} documents have {least} to {most} unique words; {_advice(unique)}"
    if not len(kept):
        raise UserError(f"Language {language!r}: none of {few}")
    if len(kept) < len(unique) / 2:
        log.warning("Language %r: only %d of %s", language, len(kept), few)
    return kept


def suggestion(unique: np.ndarray) -> tuple[int, int]:
    """Suggest a value of bags.unique_words for these documents, whatever was asked for.

    From the 5th to the 95th percentile of the documents that have words, rounded outwards to two
    significant digits: at least 90 % of them are within.

    Args:
        unique: (documents,) number of unique words of each.

    Returns:
        Least and most, both inclusive and at least 1; (1, 1) if no document has a word.
    """
    ordered = np.sort(unique[unique > 0])
    if not len(ordered):
        return 1, 1
    beyond = (len(ordered) - 1) // 20
    least, most = int(ordered[beyond]), int(ordered[-1 - beyond])
    down, up = (10 ** max(len(str(number)) - 2, 0) for number in (least, most))
    return least // down * down, -(-most // up) * up


def _advice(unique: np.ndarray) -> str:
    if not unique.any():
        return "none has any: look at what they are made from."
    least, most = suggestion(unique)
    within = np.count_nonzero((unique >= least) & (unique <= most))
    return (
        f"bags.unique_words: [{least}, {most}] would keep {100 * within // len(unique)} % of them."
    )


def summarise(
    language: str,
    unique: np.ndarray,
    kept: pd.DataFrame,
    n_distinct: int,
    n_words: int,
    nonzeros: int,
) -> dict:
    """Summarise the bags of a language.

    Args:
        language: ISO 639-1 code.
        unique: (documents,) number of unique words of each, before the filter.
        kept: documents after it, with n_tokens and n_unique.
        n_distinct: words before the vocabulary was chosen.
        n_words: words in the vocabulary.
        nonzeros: of the counts.

    Returns:
        The arguments, and the numbers of tokens and unique words of the kept documents;
        suggested_unique_words is the `suggestion`.
    """
    return {
        "language": language,
        "documents": len(unique),
        "kept_documents": len(kept),
        "distinct_words": n_distinct,
        "words": n_words,
        "tokens": int(kept["n_tokens"].sum()),
        "mean_unique_words": float(kept["n_unique"].mean()),
        "nonzeros": nonzeros,
        "suggested_unique_words": list(suggestion(unique)),
    }
