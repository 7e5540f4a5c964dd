"""Labelled documents in columns, and weights of numbered words, to accuracies."""

import json
import lzma
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.neighbors import KNeighborsClassifier

from cr5.corpora.formats.rows import rows as read_rows

pytestmark = pytest.mark.slow

LANGUAGES, CLASSES = ("aa", "bb"), ("hills", "seas", "towns")
SCORES = "results/tiny/tables/scores.csv"
PARTS = {"train": 90, "dev": 30, "test": 40}
FOLDERS = {"aa": "aa_Latn", "bb": "bb_Latn"}
TOPICS = {"module": "classification", "path": "sib/{language}/{part}.tsv", "codes": FOLDERS}
SYSTEMS = {"cr5": {"rank": 10, "ridges": [0.1, 1.0]}, "lexical_overlap": {}}


def bags(generator, n):
    """Classes, and how often each of 60 words; a class has a third of them more often."""
    classes = generator.integers(3, size=n)
    return classes, generator.poisson(0.15 + 0.5 * np.repeat(np.eye(3), 20, axis=1)[classes])


def word(number, language):
    """A tenth of the words is the same in both languages."""
    spelt = "".join(chr(ord("a") + int(digit)) for digit in f"{number:02}")
    return f"{'x' if number % 10 == 0 else language}{spelt}"


def write_topics(folder):
    """The layout of SIB-200; sentences of a part are the same in all languages."""
    generator = np.random.default_rng(7)
    for part, n in PARTS.items():
        classes, counts = bags(generator, n)
        for language, code in FOLDERS.items():
            (folder / code).mkdir(parents=True, exist_ok=True)
            rows = [
                f"{i}\t{CLASSES[classes[i]]}\t{' '.join(np.repeat(words, counts[i]))}"
                for words in [[word(number, language) for number in range(60)]]
                for i in range(n)
            ]
            text = "\n".join(["index_id\tcategory\ttext", *rows, ""])
            is_packed = part == "train"
            packed = lzma.compress(text.encode()) if is_packed else text.encode()
            (folder / code / f"{part}.tsv{'.xz' * is_packed}").write_bytes(packed)


def write_weights(folder, originals):
    """The layout of Multilingual Reuters: by original language, the languages of its files."""
    generator = np.random.default_rng(8)
    for original, languages in originals.items():
        classes, counts = bags(generator, 150)
        for language in languages:
            weights = counts * generator.uniform(0.9, 1.1, counts.shape)
            lines = [
                " ".join([f"C{label}", *(f"{j + 1}:{row[j]:.4f}" for j in row.nonzero()[0])])
                for label, row in zip(classes, weights, strict=True)
            ]
            (folder / language).mkdir(parents=True, exist_ok=True)
            (folder / language / f"Index_{original}-{language}").write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def topics(new_run_in, tmp_path_factory):
    run = new_run_in(
        tmp_path_factory.mktemp("topics"),
        corpus={
            "name": "tiny",
            "source": "files",
            "path": "sib/{language}/train.tsv",
            "codes": FOLDERS,
            "concept": "index_id",
        },
        languages=list(LANGUAGES),
        bags={"unique_words": [1, 1000], "min_documents": 1},
        splits={"max_share": {"test": 0, "validation": 0}},
        systems=SYSTEMS,
        settings={"joint": {}},
        tasks={"topics": {**TOPICS, "labelled": ["aa"]}},
        validation={"task": "topics", "criterion": "p@1", "extend": 0},
    )
    write_topics(run.folder / "sib")
    run(SCORES)
    return run


def test_accuracies_are_those_of_scikit_learn_on_counted_strings(topics):
    scores = pd.read_csv(topics.results / "tables" / "scores.csv")
    assert set(scores["metric"]) == {"Success@1"}
    assert set(zip(scores["query"], scores["target"], strict=True)) == {("aa", "aa"), ("bb", "aa")}
    chosen = scores[(scores["system"] == "lexical_overlap") & (scores["similarity"] == "cosine")]
    found = chosen.set_index("query")["value"]
    strings = {word(number, x): None for x in LANGUAGES for number in range(60)}
    train, labels = read(topics, "aa", "train", strings)
    weights = np.log(len(train) / np.maximum((train > 0).sum(axis=0), 1)) + 1
    nearest = KNeighborsClassifier(1, metric="cosine").fit(train * weights, labels)
    test, expected = read(topics, "aa", "test", strings)
    # one query: where ties are, which of them scikit-learn takes is its own
    assert found["aa"] == pytest.approx(nearest.score(test * weights, expected), abs=1 / 40 + 1e-9)
    cr5 = scores[(scores["system"] == "cr5") & (scores["similarity"] == "cosine")]
    assert cr5.set_index("query")["value"]["bb"] > 0.6


def read(run, language, part, strings):
    """Documents x strings, and labels."""
    path = next((run.folder / "sib" / FOLDERS[language]).glob(f"{part}.tsv*"))
    columns = ("text", "category")
    rows = [[row.fields[x] for x in columns] for row in read_rows(path, columns)]
    counts = [[text.split().count(string) for string in strings] for text, _ in rows]
    return np.array(counts), [label for _, label in rows]


def test_hyperparameters_are_chosen_by_the_task_and_all_documents_train(topics):
    fit = json.loads((topics.results / "models/joint/cr5/1/fit.json").read_text())["fit"]
    assert fit["criterion"] == "p@1"
    assert {x: list(y) for x, y in fit["validation_pairs"].items()} == {"aa": ["aa"], "bb": ["aa"]}
    trained = pd.read_parquet(topics.results / "settings/joint/1.parquet")
    assert trained["language"].value_counts().to_dict() == {"aa": 90, "bb": 90}


def test_a_dev_file_that_changes_is_validated_again_and_nothing_else(topics):
    dev = topics.folder / "sib" / "bb_Latn" / "dev.tsv"
    dev.write_text(dev.read_text().replace("hills", "seas"))
    planned = {str(x) for x in topics.plan()}
    assert {"tasks/topics/bb", "models/joint/cr5/1"} <= planned
    assert not {x for x in planned if x.startswith(("bags", "draws", "settings"))}


def test_weights_are_taken_as_they_are_and_originals_are_tested(new_run):
    run = new_run(
        corpus={
            "name": "tiny",
            "source": "matrix",
            "path": "weights/{language}/Index_{original}-{language}",
            "codes": {"aa": "AA", "bb": "BB"},
            "originals": ["aa"],
        },
        languages=list(LANGUAGES),
        bags={"unique_words": [1, 1000], "min_documents": 1},
        weighting={"idf": "none"},
        splits={"max_share": {"test": 0.2, "validation": 0.125, "candidates": 0}},
        systems=SYSTEMS,
        settings={"joint": {}},
        tasks={"classes": {"module": "classification", "labelled": ["aa"], "tested": "own"}},
        validation={"task": "classes", "extend": 0},
    )
    write_weights(run.folder / "weights", {"AA": ("AA", "BB"), "BB": ("BB",)})
    run(SCORES)
    scores = pd.read_csv(run.results / "tables" / "scores.csv")
    chosen = scores[(scores["similarity"] == "cosine") & (scores["metric"] == "Success@1")]
    counts = chosen.set_index(["system", "query"])[["n_queries", "n_candidates"]]
    assert counts.loc[("cr5", "aa")].tolist() == [30, 105]  # 20 %, and 70 % of 150
    assert counts.loc[("cr5", "bb")].tolist() == [150, 105]
    values = chosen.set_index(["system", "query"])["value"]
    assert values["cr5", "bb"] > 0.6
    assert values["lexical_overlap", "bb"] == 0  # no word is any of the other language's
    rows, labels = weights(run.folder / "weights/AA/Index_AA-AA")
    tested, labelled = drawn(run)
    nearest = KNeighborsClassifier(1, metric="cosine").fit(rows[labelled], labels[labelled])
    expected = nearest.score(rows[tested], labels[tested])
    assert values["lexical_overlap", "aa"] == pytest.approx(expected)


def test_full_machine_translation_is_lsa_of_english_and_its_plain_rows(new_run):
    """The paper's configuration on documents in its layout."""
    path = Path(__file__).parents[2] / "config/papers/reuters_mt.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    corpus = config.pop("corpus") | {"name": "tiny"}
    systems = config["systems"] | {"lsa": config["systems"]["lsa"] | {"dimensions": [10]}}
    changes = {"systems": systems, "settings": {"joint": {}}, "threads": {"fit": 1, "rank": 1}}
    run = new_run(corpus=corpus, **config | changes)
    folder = run.folder / "data/reuters/EN"
    write_weights(folder.parent, {"EN": ("EN",), "SP": ("EN",)})
    run(SCORES, "results/tiny/tables/reproduction.csv")
    scores = pd.read_csv(run.results / "tables" / "scores.csv")
    found = scores[scores["metric"] == "Success@1"].set_index(["system", "query"])["value"]
    (english, labels), (spanish, wanted) = (weights(folder / f"Index_{x}-EN") for x in ("EN", "SP"))
    tested, labelled = drawn(run)
    V = np.linalg.svd(english[labelled])[2][:10].T
    for system, map_ in (("lexical_overlap", np.eye(61)), ("lsa", V)):
        nearest = KNeighborsClassifier(1, metric="cosine")
        nearest.fit(english[labelled] @ map_, labels[labelled])
        expected = nearest.score(english[tested] @ map_, labels[tested])
        assert found[system, "en"] == pytest.approx(expected)
        assert found[system, "es"] == pytest.approx(nearest.score(spanish @ map_, wanted))
    compared = pd.read_csv(run.results / "tables" / "reproduction.csv")
    compared = compared[compared["row_system"].str.startswith("Full MT")]
    assert compared["our_system"].tolist() == ["lsa", "lsa", "lexical_overlap", "lexical_overlap"]
    assert set(compared["verdict"]) == {"other corpus"}
    assert set(compared["remark"]) == {
        "there are fewer than 13,000 candidates; 105 concepts train, not 13,131"
    }


def weights(path):
    """Documents x words as they are in a file, and labels."""
    lines = path.read_text().splitlines()
    rows = np.zeros((150, 61))
    for i, line in enumerate(lines):
        for field in line.split()[1:]:
            rows[i, int(field.split(":")[0])] = float(field.split(":")[1])
    return rows, np.array([line.split()[0] for line in lines])


def drawn(run):
    """Rows of originals of the first language that test, and those that train."""
    drawn = pd.read_parquet(run.results / "draws/1/queries.parquet")
    rows = drawn["concept"].str.split(":").str[1].astype(int) - 1
    return rows[drawn["role"] == "test"], np.setdiff1d(np.arange(150), rows)
