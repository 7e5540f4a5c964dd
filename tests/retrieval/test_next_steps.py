import shlex

import pandas as pd
import pytest
from scipy import sparse

from cr5.base import artefacts
from cr5.base.errors import UserError
from cr5.base.labels import BAGS
from cr5.retrieval.next_steps import next_steps
from cr5.retrieval.results import Results

TITLES = {
    "en": ["cat", "a cat, a dog and the sea", "x y z", "dog cat sea " * 9],
    "it": ["gatto", "gatto cane mare"],
}


@pytest.fixture
def run(small_folder):
    """The results of a run with one model, and its documents."""
    folder = small_folder.parents[3]
    for language, titles in TITLES.items():
        bags = folder / "bags" / language
        concepts = [f"Q{i}" for i in range(len(titles))]
        frame = pd.DataFrame({"concept": concepts, "title": titles})
        with artefacts.written(BAGS, bags, {"language": language}) as place:
            frame.to_parquet(place / "documents.parquet")
            sparse.save_npz(place / "counts.npz", sparse.csr_matrix([[1, 0, 2, 3]] * len(titles)))
            pd.DataFrame({"word": list("abcd")}).to_parquet(place / "words.parquet")
    return folder


def test_commands_with_a_title_that_the_model_knows(run):
    search, explore = next_steps(run)
    words = shlex.split(search.split(":", 1)[1])
    assert words[:5] == ["./run", "cr5", "search", str(run), "a cat, a dog and the sea"]
    assert words[5:] == ["--from", "en", "--to", "it"]
    assert explore.endswith(f"./run cr5 explore {run}")
    search, explore = next_steps(str(run), "my results/tiny", "../run")
    assert shlex.split(search)[2:6] == ["../run", "cr5", "search", "my results/tiny"]
    assert explore.endswith("../run cr5 explore 'my results/tiny'")


def test_unless_one_is_named_the_best_system_of_the_widest_setting_is_taken(run):
    (run / "models" / "joint" / "strings").symlink_to(run / "models" / "joint" / "cr5")
    rows = [("joint", "cr5", 12, 0.4), ("joint", "strings", 12, 0.5), ("near", "cr5", 2, 0.9)]
    means = pd.DataFrame(rows, columns=["setting", "system", "directions", "value"])
    means = means.assign(task="documents", similarity="cosine", metric="Success@1")
    others = [means.assign(**{x: "other"}, value=1 - means["value"]) for x in list(means)[4:]]
    (run / "tables").mkdir()
    pd.concat([*others, means]).to_csv(run / "tables" / "means.csv", index=False)
    assert Results(run).find().system == "strings"
    assert Results(run).find(setting="joint").system == "strings"
    assert Results(run).find("cr5").setting == "joint"


def test_documents_that_were_counted_without_a_word_of_the_model_are_refused(run):
    with pytest.raises(UserError, match="bags/en: "):
        Results(run).documents("en", ["cat"])


def test_documents_have_the_words_of_the_model_in_its_order(run):
    assert Results(run).documents("en", ["d", "b", "a"]).counts.toarray()[0].tolist() == [3, 0, 1]


def test_nothing_is_said_where_no_model_can_be_used(run, tmp_path):
    assert next_steps(tmp_path / "none") == []
    (run / "bags" / "en" / "documents.parquet").write_bytes(b"")
    assert next_steps(run) == []
