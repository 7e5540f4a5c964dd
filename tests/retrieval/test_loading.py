import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cr5
from cr5.base.artefacts import NO_JOB
from cr5.base.errors import UserError
from cr5.models import store
from cr5.retrieval.loading import best, models


def test_a_model_by_its_folder_and_by_its_run(small_folder):
    for path in (small_folder, small_folder.parents[3]):
        model = cr5.load(path)
        assert model.place == small_folder
        assert model.about["system"] == "cr5"
        assert model.embed("gatto", "it").tolist() == [[1, 0, 0]]


def test_the_home_folder_is_meant_by_its_sign(small_folder, tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(tmp_path)
    cr5.load(small_folder).save("~/mine.cr5")
    model = cr5.load("~/mine.cr5")
    assert model.place == home / "mine.cr5"
    index = cr5.Index(model)
    index.add(["a"], ["gatto"], "it")
    index.save("~/index")
    assert cr5.open_index("~/index").sizes == {"it": 1}
    assert sorted(path.name for path in home.iterdir()) == ["index", "mine.cr5"]
    assert not Path("~").exists()


@pytest.fixture
def run(small_folder, small_model):
    """A run with models of two systems and of two settings."""
    run = small_folder.parents[3]
    save(run, small_model, "joint", "strings", "1")
    save(run, small_model, "near", "cr5", "1")
    return run


def save(run, model, setting, system, repetition):
    about = {"setting": setting, "system": system, "repetition": repetition}
    store.save(run / "models" / setting / system / repetition, model, about)


def test_models_of_a_run_are_chosen_by_name(run, small_folder, small_model):
    assert cr5.load(run).place == small_folder
    assert cr5.load(run, system="strings").place == run / "models/joint/strings/1"
    assert cr5.load(run, setting="near").place == run / "models/near/cr5/1"
    assert [model["system"] for model in models(run)] == ["cr5", "strings", "cr5"]
    save(run, small_model, "joint", "cr5", "2")
    assert cr5.load(run, repetition=2).place == small_folder.parent / "2"


def test_a_model_that_is_not_there_is_named_beside_those_that_are(run, small_folder):
    with pytest.raises(UserError, match=r"system 'cca'.*joint/strings/1"):
        cr5.load(run, system="cca")
    with pytest.raises(UserError, match=r"no model of setting 'far'.*near/cr5/1"):
        cr5.load(run, setting="far")
    with pytest.raises(UserError, match="leave out system, setting and repetition"):
        cr5.load(small_folder, repetition=2)


def test_models_in_places_of_other_names_are_refused(run):
    (run / "models/joint").rename(run / "models/a")
    (run / "models/b").symlink_to(run / "models/a")
    with pytest.raises(UserError, match=r"several models.* there: a/cr5/1, b/cr5/1"):
        cr5.load(run, system="cr5")
    shutil.rmtree(run / "models/near/cr5/1")
    (run / "models/near/cr5/1").symlink_to(run / "models/a/cr5/1")
    with pytest.raises(UserError, match=r"near/cr5/1.*setting 'near', found setting 'joint'"):
        cr5.load(run, setting="near")


def test_the_package_is_light_and_snakemake_far():
    code = "import cr5, sys; print(*sys.modules); cr5.load; print(*sys.modules)"
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    alone, loaded = [set(line.split()) for line in printed.splitlines()]
    assert not {"numpy", "scipy", "pandas"} & alone
    assert not {"snakemake", "pandas", "matplotlib", "numba", "gensim"} & loaded


HEADER = "setting,system,task,similarity,metric,value,directions,query,target,repetition"


def give_means(folder, *rows, scope="tables"):
    """Write scores of a run, each setting, system, task, similarity, metric, value, directions."""
    lines = [HEADER]
    lines += [f"{row},all,all,mean" for row in rows]
    with NO_JOB.making(folder / scope, "scores") as part:
        (part / "scores.csv").write_text("\n".join(lines) + "\n")


def test_the_best_by_cosine_among_settings_of_most_directions(tmp_path):
    assert best(tmp_path) == []
    give_means(
        tmp_path,
        "near,a,documents,cosine,Success@1,.9,2",
        "joint,a,documents,cosine,Success@1,.2,12",
        "joint,b,documents,cosine,Success@1,.3,12",
        "joint,d,documents,cosine,Success@1,.2,12",
        "joint,c,documents,cosine,Success@1,.2,12",
        "joint,c,documents,csls,Success@1,.9,12",
        "joint,c,documents,cosine,RR,.9,12",
        "joint,c,words,cosine,Success@1,.9,12",
    )
    in_joint = [("joint", system) for system in "bacd"]
    assert best(tmp_path) == [*in_joint, ("near", "a")]


def test_the_best_of_a_first_look_until_all_is_run(tmp_path):
    give_means(tmp_path, "joint,a,documents,cosine,Success@1,.9,12", scope="quick/tables")
    assert best(tmp_path) == [("joint", "a")]
    give_means(tmp_path, "joint,b,documents,cosine,Success@1,.5,12")
    assert best(tmp_path) == [("joint", "b")]
