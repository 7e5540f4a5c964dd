"""The full configuration on the embedded corpus, with a few of its systems: packages to page."""

import json
import re
import shutil

import pytest
import yaml

from cr5.base.errors import UserError
from cr5.texts import debian
from cr5.texts.sources.libreoffice_help import package
from tests.kit.run import ROOT, Run
from tests.kit.run import scores as read

pytestmark = pytest.mark.slow

LANGUAGES = ("da", "en", "it", "vi")
SYSTEMS = ("cr5", "best", "procrustes_identical", "lexical_overlap")
SETTINGS = ("joint", "pairwise", "transitive")
PAGE = ROOT / "docs" / "python.md"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    if shutil.which("apt-get") is None:
        pytest.skip("apt-get is not installed")
    folder = tmp_path_factory.mktemp("default")
    try:
        debian.download([package(x) for x in LANGUAGES], folder / "packages")
    except UserError as error:
        if "check the network" in str(error):
            pytest.skip(f"no network: {error}")
        raise
    config = yaml.safe_load((ROOT / "config" / "full.yaml").read_text(encoding="utf-8"))
    for key, kept in (("systems", SYSTEMS), ("settings", SETTINGS)):
        config[key] = {name: config[key][name] for name in kept}
    run = Run(folder, config)
    run()
    return run.results


@pytest.fixture(scope="module")
def scores(results):
    frame = read(results)
    return frame[(frame["metric"] == "Success@1") & (frame["similarity"] == "cosine")]


def of(scores, system, setting="joint"):
    scores = scores[scores["task"] == "documents"]
    chosen = scores[(scores["system"] == system) & (scores["setting"] == setting)]
    return chosen.set_index(["query", "target"])["value"]


def test_the_program_in_the_pages_works(results):
    pages = PAGE.read_text(encoding="utf-8")
    [program] = re.findall(r"a finished run -->\n```python\n(.*?)```", pages, re.DOTALL)
    lines = program.replace("results/libreoffice_help", str(results)).splitlines()
    names = {}
    exec("\n".join(lines), names)
    [search] = [line for line in lines if line.startswith("index.search")]
    [[hit]] = eval(search.split("#")[0], names)
    said = re.search(r"Hit\(id='(.)', language='(..)'", search)
    assert (hit.id, hit.language) == said.groups()


def test_paragraphs_are_apart(results):
    for language in LANGUAGES:
        about = json.loads((results / "documents" / language / "notes.json").read_text())
        counts = about["paragraphs"]
        left = counts["kept"] + counts["apart"]
        assert left + counts["dropped"] == counts["paragraphs"]
        assert 0.22 < counts["kept"] / left < 0.28


def test_cr5_finds_many_counterparts_first_and_leaves_room(scores):
    """Of parallel pages it would find nearly all; strings that languages share find a tenth."""
    found, strings = of(scores, "cr5"), of(scores, "lexical_overlap")
    assert len(found) == 12
    assert (found > strings).all()
    assert 0.25 < found.mean() < 0.75
    assert found.mean() > 2 * strings.mean()


def test_words_are_found_where_debian_has_a_dictionary(scores):
    """Of strings that languages share, a dictionary lists few."""
    of_words = scores[(scores["task"] == "lexicon_induction") & (scores["setting"] == "joint")]
    found = of_words.groupby("system")["value"].mean()
    directions = set(zip(of_words["query"], of_words["target"], strict=True))
    assert directions == {("da", "en"), ("en", "da"), ("en", "it"), ("it", "en")}
    assert found["cr5"] > 2 * found["lexical_overlap"]


def test_spelling_helps(scores):
    assert of(scores, "best").mean() > 1.1 * of(scores, "cr5").mean()


def test_word_mappings_beat_nothing_at_all(scores):
    """From identical strings the spaces of da, en and it can be aligned, if not well."""
    found = of(scores, "procrustes_identical")
    assert found["it", "en"] > of(scores, "lexical_overlap")["it", "en"]


def test_pairwise_models_are_tested_on_the_same_queries(scores):
    scores = scores[scores["task"] == "documents"]
    joint = scores[(scores["setting"] == "joint") & (scores["system"] == "cr5")]
    pairwise = scores[scores["setting"].str.startswith("pairwise")]
    both = pairwise.merge(joint, on=["query", "target"], suffixes=("", "_joint"))
    assert len(both) == 6
    assert (both["n_queries"] == both["n_queries_joint"]).all()
    assert (both["n_candidates"] == both["n_candidates_joint"]).all()
