from pathlib import Path

import pytest
import yaml

from cr5.plan.config import validated
from cr5.plan.told import absent, fits, told
from cr5.report.reproduction import plan

WIKIPEDIA = Path(__file__).parents[2] / "config" / "papers" / "wikipedia.yaml"


@pytest.fixture
def config():
    return yaml.safe_load(WIKIPEDIA.read_text(encoding="utf-8"))


def of(found, setting, system):
    wanted = (setting, system, "documents")
    [one] = [x for x in found if (x["setting"], x["system"], x["task"]) == wanted]
    return one


def test_the_paper_s_own_configuration_is_not_unlike_it(config):
    found = fits(validated(config))
    one = dict(of(found, "joint", "cr5"))
    assert one.pop("options").keys() == one.pop("defaults").keys()
    assert one.pop("unlike")["cr5"] == []
    assert one == {
        **{"setting": "joint", "kind": "joint", "languages": ["da", "en", "it", "vi"]},
        **{"system": "cr5", "system_module": "cr5", "task": "documents"},
        "task_module": "documents",
        "task_options": {"idf": "corpus", "min_words": 1},
    }
    assert of(found, "pairwise_da-vi", "cr5")["languages"] == ["da", "vi"]
    searched = {(x["setting"], x["system"], x["task"]): x["unlike"]["cr5"] for x in found}
    muse = ["tasks.documents_muse.idf is own, not corpus"]
    others = ("cr5", "lexical_overlap", "wiki_multi")  # such weights are of mapped vectors
    assert {place: said for place, said in searched.items() if said} == {
        ("joint", "cr5", "sentences"): ["lambda is chosen by documents, not by sentences"],
        **{("joint", system, "documents_muse"): muse for system in others},
    }
    assert searched["sentences_en-it", "cr5_sentences", "sentences"] == []
    assert searched["words_en-it", "cr5_words", "lexicon_induction"] == []


def test_another_setting_does_not_make_the_first_one_unlike(config):
    config["settings"] = {"joint": {}, "two": {"kind": "joint", "languages": ["da", "en"]}}
    found = fits(validated(config))
    assert of(found, "joint", "cr5")["unlike"]["cr5"] == []
    [clause] = of(found, "two", "cr5")["unlike"]["cr5"]
    assert clause.startswith("two is trained on da, en")


def test_by_facts_and_not_by_names(config):
    config["systems"] = {"mine": {"module": "cr5"}}
    config["settings"] = {"all_four": {"kind": "joint"}}
    config["tasks"], config["protocol"] = {"again": {"module": "documents"}}, {}
    [found] = fits(validated(config))
    assert (found["system_module"], found["task_module"]) == ("cr5", "documents")
    assert found["kind"] == "joint"


def test_what_this_project_has_is_not_absent():
    found = absent()
    assert not {"joint", "pairwise"} & set(found["kind"])
    assert not {"cr5", "advrefine"} & set(found["system"])
    assert "documents" not in found["task"]
    for part, names in found.items():
        assert set(names) <= set(plan()[part])


def test_a_system_that_nobody_wrote_is_absent(monkeypatch):
    planned = plan().assign(system="nobody_s", task="", kind="odd")
    monkeypatch.setattr("cr5.plan.told.plan", lambda: planned)
    assert absent() == {"kind": ["odd"], "system": ["nobody_s"], "task": []}


def test_what_tables_and_figures_are_told_is_of_the_configuration():
    corpus = {"name": "mine", "source": "files", "path": "{language}.jsonl"}
    given = {"corpus": corpus, "languages": ["da", "en"], "systems": {"cr5": {}}}
    found = told(validated(given), "whole")
    assert (found["corpus"], found["configuration"]) == ("mine", "whole")
    assert found["shown"] == ["da", "en"]
    assert found["similarity"] == "cosine"
    assert found["printed"] == {"documents": "Table 1"}
    assert [x["system"] for x in found["fits"]] == ["cr5"]
