"""Which words and which documents bags have, by the rules (Cr5, Sec. 4.1)."""

import logging
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from cr5.base.errors import UserError
from cr5.counts.rules import Rules

log = logging.getLogger(__name__)

MOST_CAPITALS = 0.05  # share of given words that are in no lower-cased text
NINE_TENTHS = (5, 95)  # percentiles
MOST_FREQUENT_FIRST = [("collection_frequency", "descending"), ("word", "ascending")]


def chosen_words(
    frequency_table: pa.Table, rules: Rules, language: str, given: Sequence[str] | None
) -> pd.DataFrame:
    """Return the words that a model may choose from, or given ones, as `Bags.words`.

    UserError: none of them is in the text.
    """
    if given is None:
        words = _words_by_rules(frequency_table, rules)
    else:
        if rules.case == "lower":
            _warn_of_capitals(given, language)
        words = _given_words(frequency_table, given)
    n_words = len(frequency_table)
    if n_words and not words["document_frequency"].any():
        why = f"is in {rules.min_documents} documents or more (key bags.min_documents); lower it"
        if len(words):
            why = "is one of the given vectors; are they of another language, or not lower-cased?"
        raise UserError(f"language {language!r}: of the {n_words} words of its text none {why}")
    return words


def _words_by_rules(frequency_table: pa.Table, rules: Rules) -> pd.DataFrame:
    """Return the words that are in enough documents, the most frequent first, then by word."""
    is_frequent = pc.greater_equal(frequency_table["document_frequency"], rules.min_documents)
    frequent_words = frequency_table.filter(is_frequent)
    words = frequent_words.sort_by(MOST_FREQUENT_FIRST)
    return words.slice(0, rules.most_in_bags).to_pandas()


def _given_words(frequency_table: pa.Table, given: Sequence[str]) -> pd.DataFrame:
    """Return given words in their order, with a frequency of 0 where the text has not got them."""
    frequency_of_words = frequency_table.to_pandas().set_index("word")
    given_words = pd.Index(given, name="word")
    words = frequency_of_words.reindex(given_words, fill_value=0)
    return words.reset_index()


def _warn_of_capitals(given: Sequence[str], language: str) -> None:
    """Warn of words with capitals, which are not in text that is lower-cased."""
    in_lower_case = {word for word in given if word == word.lower()}
    never_in_text = [word for word in given if word.lower() not in in_lower_case]
    n_words = len(given)
    n_never = len(never_in_text)
    if n_never > MOST_CAPITALS * n_words:
        log.warning(
            "%s: %d of %d words of the vectors, such as %r, have capitals and so never occur: "
            "lower-case the words of the file, or count words as they are written (bags.case: "
            "keep)",
            language,
            n_never,
            n_words,
            never_in_text[0],
        )


def kept_documents(n_unique: np.ndarray, rules: Rules, language: str) -> np.ndarray:
    """Return the numbers of the documents with neither too few nor too many unique words."""
    n_documents = len(n_unique)
    if not n_unique.any():
        digits = ""
        if rules.tokens == "letters":
            digits = "; words have no digits, unless `bags.tokens: words` is set"
        raise UserError(
            f"language {language!r}: none of its {n_documents} documents has a word: look at "
            f"what they are made from, or leave the language out{digits}"
        )
    lower, upper = rules.unique_words
    is_kept = (n_unique >= lower) & (n_unique <= upper)
    rows = np.flatnonzero(is_kept)
    n_kept = len(rows)
    if n_kept < n_documents / 2:
        low, high = np.percentile(n_unique, NINE_TENTHS).astype(int)
        warning = (
            f"language {language!r}: only {n_kept} of {n_documents} documents have {lower} to "
            f"{upper} unique words (bags.unique_words); nine tenths have {low} to {high}"
        )
        if n_kept == 0:
            raise UserError(warning)
        log.warning("%s", warning)
    return rows
