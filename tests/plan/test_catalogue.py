import pytest

from cr5.base.errors import UserError
from cr5.plan import catalogue


@pytest.mark.parametrize(("section", "name"), [("systems", "cr5"), ("tasks", "ad_hoc")])
def test_a_module_by_name_by_other_name_and_by_file(tmp_path, section, name):
    own = tmp_path / "mine.py"
    own.write_text("")
    found = catalogue.module_source(section, name)
    assert (found.parent.name, found.name) == (section, f"{name}.py")
    assert catalogue.module_source(section, "my_own", name) == found
    assert catalogue.module_source(section, "mine", str(own)) == own


@pytest.mark.parametrize("name", ["base", "texts", "cr5"])
def test_what_tasks_share_is_no_task(name):
    with pytest.raises(
        UserError, match=rf"tasks\.{name}: .*known tasks are (.*)\. For one"
    ) as error:
        catalogue.module_source("tasks", name)
    known = error.value.args[0].split("known tasks are ")[1].split(".")[0].split(", ")
    assert {"documents", "ad_hoc"} <= set(known)
    assert not {"base", "texts"} & set(known)


def test_every_task_that_is_known_has_searches():
    known = list((catalogue.PACKAGE / "tasks").glob("[!_]*.py"))
    tasks = [path for path in known if path.stem not in catalogue.SHARED]
    assert len(tasks) == len(known) - len(catalogue.SHARED)
    for path in tasks:
        assert "\ndef searches(" in path.read_text(encoding="utf-8")


def task(tmp_path, text):
    path = tmp_path / "mine.py"
    path.write_text(text)
    return path


def test_files_of_a_task_and_language(tmp_path):
    path = task(tmp_path, "FILES = ('texts', 'labels')\n")
    options = {"texts": "a/{language}/{language}.txt", "labels": "labels.tsv", "k": 3}
    assert catalogue.has_files(path)
    assert catalogue.files_of(path, options, "da") == {
        "texts": "a/da/da.txt",
        "labels": "labels.tsv",
    }


@pytest.mark.parametrize("labels", [{}, {"labels": ""}, {"labels": None}])
def test_a_file_that_is_not_given_is_named(tmp_path, labels):
    path = task(tmp_path, "FILES = ('texts', 'labels')\n")
    with pytest.raises(UserError, match=r"tasks\.mine: "):
        catalogue.files_of(path, {"texts": "a.txt"} | labels, "da")


def test_a_task_of_parallel_text_says_so(tmp_path):
    assert catalogue.is_parallel(catalogue.module_source("tasks", "sentences"))
    assert not catalogue.is_parallel(task(tmp_path, "FILES = ('aligned',)\n"))


def test_a_task_without_files(tmp_path):
    path = task(tmp_path, "")
    assert not catalogue.has_files(path)
    assert catalogue.files_of(path, {"k": 3}, "da") == {}


def test_constants_are_read_without_running_the_module(tmp_path):
    path = tmp_path / "m.py"
    path.write_text("import not_installed\nOPTIONS = {'rank': 3}\nN: int = 4\n")
    assert catalogue.constant(path, "OPTIONS", {}) == {"rank": 3}
    assert catalogue.constant(path, "N", 0) == 4
    assert catalogue.constant(path, "MISSING", "other") == "other"
