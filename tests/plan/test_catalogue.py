import pytest

from cr5.base.errors import UserError
from cr5.plan import catalogue


def test_a_system_by_name_by_other_name_and_by_file(tmp_path):
    own = tmp_path / "mine.py"
    own.write_text("")
    assert catalogue.system_source("untranslated").name == "untranslated.py"
    assert catalogue.system_source("cr5_small", "cr5").name == "cr5.py"
    assert catalogue.system_source("mine", str(own)) == own


@pytest.mark.parametrize("module", [None, "nothing", "no/where.py"])
def test_an_unknown_system_lists_the_known_ones(module):
    with pytest.raises(UserError, match=r"systems\.foo: there is no file .*cr5, .*untranslated"):
        catalogue.system_source("foo", module)


def test_a_task_is_found_likewise_but_not_what_tasks_share(tmp_path, monkeypatch):
    (tmp_path / "tasks").mkdir()
    for name in ("__init__", "base", "documents"):
        (tmp_path / f"tasks/{name}.py").touch()
    monkeypatch.setattr(catalogue, "PACKAGE", tmp_path)
    assert catalogue.module_source("tasks", "documents") == tmp_path / "tasks/documents.py"
    assert catalogue.module_source("tasks", "mine", "documents").name == "documents.py"
    with pytest.raises(UserError, match=r"tasks\.base: .* known tasks are documents\. For"):
        catalogue.module_source("tasks", "base")


def test_constants_are_read_without_running_the_module(tmp_path):
    path = tmp_path / "m.py"
    path.write_text("import not_installed\nDEFAULTS = {'rank': 3}\nN: int = 4\n")
    assert catalogue.constant(path, "DEFAULTS", {}) == {"rank": 3}
    assert catalogue.constant(path, "N", 0) == 4
    assert catalogue.constant(path, "MISSING", "other") == "other"


def test_a_constant_that_is_no_literal_is_named(tmp_path):
    path = tmp_path / "m.py"
    path.write_text("\nDEFAULTS = {'rank': 1 << 3}\n")
    with pytest.raises(UserError, match=r"m\.py, line 2: DEFAULTS must be a literal"):
        catalogue.constant(path, "DEFAULTS", {})


def test_a_broken_module_is_named(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("def (")
    with pytest.raises(UserError, match=r"broken\.py: not a Python file"):
        catalogue.constant(path, "DEFAULTS", {})
