"""Strings alone: documents are compared by the beginnings of words that languages share.

Names, numbers written as words and loans begin alike in many languages, whatever their endings and
accents; in different scripts they may sound alike (`cr5.systems.spelling.scripts`). Nothing is
fitted: only the frequency of a beginning comes from training documents. On biographies, where
names suffice, this finds more than any system that learns; it is in the tables so that shared
names are not mistaken for learning. `lexical_overlap` is simpler: whole words, and tf-idf.
"""

from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.spelling import beginnings
from cr5.systems.spelling.scripts import compared

TITLE = "Prefix overlap"
COST = (0.5, 0.5)
COLOUR = "#8A8A8A"

OPTIONS = {
    "letters": (5, {"ge": 1}, "of the beginning of a word"),
    "scripts": (
        "own",
        ("own", "auto", "latin", "sounds", "consonants"),
        "how words are written before their beginnings are compared",
    ),
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Count beginnings; see `cr5.systems.spelling.beginnings`.

    Args:
        training: its vocabularies, and which training document has which words.
        options: `letters`, `scripts`.

    Raises:
        UserError: words are to be transliterated, and the package for that is not installed.
    """
    words = compared(training.words, options["scripts"])
    found = beginnings.beginnings(words, training.features, options["letters"])
    model = WordTables(
        training.words, found.tables, found.weights, term_frequency=beginnings.TERM_FREQUENCY
    )
    return Fit(model, {"strings": next(iter(found.tables.values())).shape[1]})
