"""What a user of the package does first: `python trial.py fit MODEL`, `python trial.py use MODEL`.

Words of one meaning differ by their language's ending, so it is known which texts are about the
same thing.
"""

import random
import sys
import tempfile
from itertools import product

import cr5

LANGUAGES = ("en", "it")
MEANINGS = [f"{first}{second}" for first, second in product("aeiou", "bcdfglmnprst")]


def texts(number: int, seed: int) -> dict[str, list[str]]:
    """Draw texts of eight words, by language; those of one position are about the same thing."""
    draws = random.Random(seed)
    made: dict[str, list[str]] = {language: [] for language in LANGUAGES}
    for _ in range(number):
        meanings = draws.sample(MEANINGS, 8)
        for language in LANGUAGES:
            made[language].append(" ".join(meaning + language for meaning in meanings))
    return made


def fit(path: str) -> None:
    """Fit a model, and store it."""
    cr5.fit(texts(100, seed=1)).save(path)


def use(path: str) -> None:
    """Load a model, store an index, and find in it for each text its counterpart."""
    model = cr5.load(path)
    asked = texts(20, seed=2)
    numbers = [str(number) for number in range(20)]
    index = cr5.Index(model)
    index.add(numbers, asked["it"], "it")
    with tempfile.TemporaryDirectory() as folder:
        index.save(f"{folder}/index")
        hits = cr5.open_index(f"{folder}/index").search(asked["en"], "en", k=1)
    found = [nearest.id for [nearest] in hits]
    if found != numbers:
        sys.exit(f"expected each text's counterpart, {numbers}, found {found}")


if __name__ == "__main__":
    {"fit": fit, "use": use}[sys.argv[1]](sys.argv[2])
