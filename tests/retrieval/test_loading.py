import shutil
import subprocess
import sys

import pytest

import cr5
from cr5.base.artefacts import NO_JOB
from cr5.base.errors import UserError
from cr5.models import store
from cr5.retrieval.loading import best, models


def test_a_model_by_its_folder_and_by_its_run(small_folder):
    for path in (small_folder, small_folder.parents[3]):
        found = cr5.load(path)
        assert found.place == small_folder
        assert found.about["system"] == "cr5"
        assert found.embed("gatto", "it").tolist() == [[1, 0, 0]]


def test_models_of_a_run_are_chosen_by_name(small_folder, small_model):
    run = small_folder.parents[3]

    def save(*names):
        about = dict(zip(("setting", "system", "repetition"), names, strict=True))
        store.save(run.joinpath("models", *names), small_model, about)

    save("joint", "strings", "1")
    save("near", "cr5", "1")
    assert cr5.load(run).place == small_folder
    assert cr5.load(run, system="strings").place == run / "models/joint/strings/1"
    assert cr5.load(run, setting="near").place == run / "models/near/cr5/1"
    assert [x["system"] for x in models(run)] == ["cr5", "strings", "cr5"]
    with pytest.raises(UserError, match=r"system 'cca'.*joint/strings/1"):
        cr5.load(run, system="cca")
    with pytest.raises(UserError, match=r"no model of setting 'far'.*near/cr5/1"):
        cr5.load(run, setting="far")
    with pytest.raises(UserError, match="leave out system, setting and repetition"):
        cr5.load(small_folder, repetition=2)
    save("joint", "cr5", "2")
    assert cr5.load(run, repetition=2).place == small_folder.parent / "2"
    (run / "models/joint").rename(run / "models/a")
    (run / "models/b").symlink_to(run / "models/a")
    with pytest.raises(UserError, match=r"several models.* there: a/cr5/1, b/cr5/1"):
        cr5.load(run, system="cr5")
    with pytest.raises(UserError, match=r"near/cr5/1.*setting 'near', found setting 'joint'"):
        shutil.rmtree(run / "models/near/cr5/1")
        (run / "models/near/cr5/1").symlink_to(run / "models/a/cr5/1")
        cr5.load(run, setting="near")


def test_the_package_is_light_and_snakemake_far():
    code = "import cr5, sys; print(*sys.modules); cr5.load; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    alone, loaded = (set(line.split()) for line in done.stdout.splitlines())
    assert not {"numpy", "scipy", "pandas"} & alone
    assert not {"snakemake", "pandas", "matplotlib", "numba", "gensim"} & loaded


HEADER = "setting,system,task,similarity,metric,value,directions,query,target,repetition"


def means(folder, *rows, scope="tables"):
    lines = [HEADER, *(f"{row},all,all,mean" for row in rows)]
    with NO_JOB.making(folder / scope, "scores") as part:
        (part / "scores.csv").write_text("\n".join(lines) + "\n")
    return folder


def test_the_best_by_cosine_among_settings_of_most_directions(tmp_path):
    assert best(tmp_path) == []
    results = means(
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
    assert best(results) == [*(("joint", x) for x in "bacd"), ("near", "a")]


def test_the_best_of_a_first_look_until_all_is_run(tmp_path):
    results = means(tmp_path, "joint,a,documents,cosine,Success@1,.9,12", scope="quick/tables")
    assert best(results) == [("joint", "a")]
    means(tmp_path, "joint,b,documents,cosine,Success@1,.5,12")
    assert best(results) == [("joint", "b")]
