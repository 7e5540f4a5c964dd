"""A finished run of three made-up languages, and its page."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.counts import documents as articles
from cr5.counts.bags import Bags
from cr5.explore import page
from cr5.models.word_tables import WordTables
from cr5.scores import ranks
from cr5.splits.drawn import Draw
from cr5.tasks.base import Data
from cr5.tasks.documents import Documents
from cr5.tasks.ranking import rank_all

LANGUAGES = ("ar", "en", "vi")
N_WORDS, N_CONCEPTS, N_QUERIES, WIDTH = 120, 60, 24, 16
UNLEARNED, UNLEARNED_DOCUMENT = 119, 49  # a word without a vector, a document of it alone
TITLES = {
    ("en", "q03"): "<script>document.title = 'stolen'</script> & <b>bold</b>",
    ("vi", "q03"): '<img src="x" onerror="document.title = 1">',
    ("vi", "q04"): "Chèn hàng vào bảng tính",
    ("ar", "q04"): "إدراج صفوف في الجدول",
    ("en", "q05"): "日本語の題名",
}


def spelled(number):
    return "w" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


@pytest.fixture(scope="session")
def made_bags():
    """Documents with words of their concept; what a concept's words are all languages know."""
    bags, seed = {}, np.random.default_rng(1)
    mixtures = seed.dirichlet([0.1] * N_WORDS, N_CONCEPTS)
    for language in LANGUAGES:
        noisy = 0.7 * mixtures + 0.3 * seed.dirichlet([0.1] * N_WORDS, N_CONCEPTS)
        counts = np.array([seed.multinomial(60, x) for x in noisy], np.int32)
        counts[UNLEARNED_DOCUMENT] = 60 * (np.arange(N_WORDS) == UNLEARNED)
        counts = sparse.csr_matrix(counts)
        concepts = [f"q{number:02}" for number in range(N_CONCEPTS)]
        titles = [TITLES.get((language, x), f"{language} title {x}") for x in concepts]
        rows = pd.DataFrame({"concept": concepts, "title": titles, "n_tokens": 60, "n_unique": 9})
        words = [language + spelled(number) for number in range(N_WORDS)]
        frame = pd.DataFrame({"word": words, "document_frequency": 9, "collection_frequency": 9})
        bags[language] = Bags(counts, frame, rows)
    return bags


@pytest.fixture(scope="session")
def made_models():
    """Three models, of which each is worse than the one before."""
    seed = np.random.default_rng(2)
    words = {x: [x + spelled(number) for number in range(N_WORDS)] for x in LANGUAGES}
    shared, ones = seed.normal(size=(N_WORDS, WIDTH)), dict.fromkeys(LANGUAGES, np.ones(N_WORDS))
    found = {}
    for name, much in (("cr5", 0.4), ("other", 0.6), ("worse", 0.8)):
        noise = {x: seed.normal(size=(N_WORDS, WIDTH)) for x in LANGUAGES}
        tables = {x: (shared + much * noise[x]).astype(np.float32) for x in LANGUAGES}
        for table in tables.values():
            table[UNLEARNED] = 0
        found[name] = WordTables(words, tables, ones)
    return found


def write_ranks(folder, model, keys, data):
    found = rank_all(Documents().searches(data, LANGUAGES), model)
    for _ in ranks.write(folder, keys, found):
        pass


@pytest.fixture(scope="session")
def finished(tmp_path_factory, made_bags, made_models):
    """The folder of the run."""
    folder = tmp_path_factory.mktemp("results") / "made_up"
    for language, bags in made_bags.items():
        texts = bags.documents.assign(
            text=[f"</script>{x} " + "text " * 99 for x in bags.documents["concept"]]
        )
        rows = texts[list(articles.COLUMNS)].itertuples(index=False, name=None)
        articles.write(folder / "documents" / language, rows, language)
    concepts = made_bags["en"].documents["concept"]
    pairs = [("ar", "en"), ("ar", "vi"), ("en", "vi")]
    queries = pd.concat(
        pd.DataFrame({"concept": concepts[:N_QUERIES], "role": "test", "first": x, "second": y})
        for x, y in pairs
    )
    candidates = pd.concat(
        pd.DataFrame({"concept": concepts[:50], "language": x}) for x in LANGUAGES
    )
    table = pd.DataFrame(pairs, columns=["first", "second"]).assign(
        concepts=9, test=9, validation=0
    )
    drawn = Draw(queries, candidates, table)
    for system, model in made_models.items():
        keys = {
            "setting": "joint",
            "series": "joint",
            "kind": "joint",
            "system": system,
            "repetition": 1,
        }
        place = folder / "ranks" / "joint" / system / "1" / "documents"
        write_ranks(place, model, keys, Data(made_bags, drawn))
    return folder


@pytest.fixture(scope="session")
def written(finished, tmp_path_factory):
    """The folder of the page of that run."""
    return page.write(finished, tmp_path_factory.mktemp("page") / "explore").parent


def content(folder, name):
    """What a file of data holds."""
    text = (folder / "data" / f"{name}.js").read_text(encoding="utf-8")
    begin, end = f'put("{name}",', ");\n"
    assert text.startswith(begin)
    assert text.endswith(end)
    return json.loads(text[len(begin) : -len(end)])


@pytest.fixture
def read(written):
    """A function from a name to what that file of the page's data holds."""
    return lambda name, folder=written: content(folder, name)
