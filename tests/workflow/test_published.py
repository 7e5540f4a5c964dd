"""A run as published, on made-up files in the originals' layouts, is judged from both sides."""

import numpy as np
import pandas as pd
import pytest
import yaml

from tests.kit.layouts import lines
from tests.kit.run import ROOT, Run

pytestmark = pytest.mark.slow

WORDS, DIMENSION = 100_000, 6  # with fewer words nothing is judged
TRAIN, TEST, RIGHT = 500, 1000, 340
MIKOLOV = {"rows": {"Mikolov et al. 2013a": "least_squares"}}
SYSTEM = {"least_squares": {"directed": True}}
CONFIG = ROOT / "config" / "papers" / "wacky.yaml"


def word(number, language):
    letters = "".join(chr(ord("a") + int(digit)) for digit in f"{number:05}")
    return f"{language[0]}{letters}"


def write_vectors(folder):
    """As Dinu et al.'s, below a line of sizes; Italian is English turned."""
    generator = np.random.default_rng(3)
    english = generator.normal(size=(WORDS, DIMENSION))
    turn = np.linalg.qr(generator.normal(size=(DIMENSION, DIMENSION)))[0]
    for language, rows in (("en", english), ("it", english @ turn)):
        path = folder / f"{language}.200K.cbow1_wind5_hs0_neg10_size300_smpl1e-05.txt"
        found = (
            f"{word(n, language)} {' '.join(map(str, x))}" for n, x in enumerate(rows.tolist())
        )
        lines(path, [f"{WORDS} {DIMENSION}", *found])


def write_dictionaries(folder):
    """From English to Italian alone. Of the 1,000 entries that test, 340 are translations."""
    test = TRAIN + np.arange(TEST)
    answers = np.concatenate([test[:RIGHT], np.roll(test[RIGHT:], 1)])
    pairs = {"train_5K": zip(range(TRAIN), range(TRAIN), strict=True)}
    pairs["test"] = zip(test, answers, strict=True)
    for name, each in pairs.items():
        found = (f"{word(x, 'en')} {word(y, 'it')}" for x, y in each)
        lines(folder / f"OPUS_en_it_europarl_{name}.txt", found)


def write_help(folder):
    for language, place in (("en", "en-US"), ("it", "it")):
        for page in range(60):
            said = " ".join(word(20 * page + k, language) for k in range(20))
            html = f'<title>T</title><div id="DisplayArea"><p id="par0">{said}</p></div>'
            lines(folder / place / "text" / f"page{page:03}.html", [html])


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """The figures of least squares beside those of the papers."""
    config = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
    config |= {"corpus": {**config["corpus"], "path": "help", "paragraphs": "all"}}
    made = ("lexicon_induction", "least_squares")
    entries = [x for x in config["published"] if (x["task"], *x["rows"].values())[:2] == made]
    rows = {"rows": {"Mikolov et al. (2013)": "least_squares"}}
    entries = [x | (rows if x["paper"] == "RCSLS" else MIKOLOV) for x in entries]
    entries = [x for x in entries if x["measure"] == "cosine"]
    config |= {"repetitions": 1, "systems": SYSTEM, "published": entries}
    config["tasks"] = {"lexicon_induction": config["tasks"]["lexicon_induction"]}
    config["evaluation"]["measures"] = ["cosine"]
    run = Run(tmp_path_factory.mktemp("published"), config)
    write_help(run.folder / "help")
    write_vectors(run.folder / "data")
    write_dictionaries(run.folder / "data")
    run("results/wacky/report.html")
    found = pd.read_csv(run.results / "report" / "published.csv")
    return found[found["ours"].notna()].set_index(["paper", "query", "target", "metric"])


@pytest.mark.parametrize(
    ("metric", "direction", "published", "verdict"),
    [
        ("Success@1", ("en", "it"), 33.8, "equal"),
        ("Success@5", ("en", "it"), 48.3, "lower"),
        ("Success@10", ("en", "it"), 53.9, "lower"),
        ("Success@1", ("it", "en"), 24.9, "higher"),
        ("Success@5", ("it", "en"), 41.0, "lower"),
    ],
)
def test_a_run_as_published_is_judged_from_both_sides(
    compared, metric, direction, published, verdict
):
    """The row Mikolov et al. of the Cr5 paper's Table 4; we find 34 % of the words at any rank."""
    row = compared.loc[("Cr5", *direction, metric)]
    assert (row["row"], str(row["table"])) == ("Mikolov et al. 2013a", "4")
    assert row["published"] == published
    assert row["ours"] == pytest.approx(100 * RIGHT / TEST, abs=0.3)
    assert (row["verdict"], row["n_candidates"]) == (verdict, WORDS)


def test_the_same_row_of_another_paper_is_judged_alike(compared):
    row = compared.loc[("RCSLS", "en", "it", "Success@1")]
    assert (row["row"], row["published"]) == ("Mikolov et al. (2013)", 33.8)
    assert row["verdict"] == "equal"
