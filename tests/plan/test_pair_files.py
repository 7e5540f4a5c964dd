from pathlib import Path

import pytest
from cr5.plan.pair_files import place, readers

from cr5.base.errors import UserError
from cr5.plan.config import validated


def config(where=None, **corpus):
    words = {} if where is None else {"dictionaries": where}
    return validated(
        {
            "corpus": {"name": "x", "source": "libreoffice_help", **corpus},
            "languages": ["vi", "en", "da"],
            "settings": {"two": {"kind": "pairwise", "pairs": ["en-da", "da-vi"]}},
            "tasks": {"documents": {}, "mine": {"module": "lexicon_induction", **words}},
        }
    )


def test_a_task_without_files_of_pairs_has_none():
    assert place(config(), "documents") is None


def test_freedict_s_packages_are_fetched_for_the_pairs_that_are_searched():
    found = place(config(), "mine")
    assert (found.where, found.is_elsewhere, found.here) == ("freedict", True, [])
    assert set(found.pairs) == {("da", "en"), ("en", "da"), ("da", "vi"), ("vi", "da")}


def test_they_are_looked_for_beside_the_help_pages_where_these_are_in_a_folder():
    found = place(config(path="folder"), "mine")
    assert (found.where, found.is_elsewhere, found.here) == ("folder", False, [Path("folder")])


def test_of_a_path_for_each_pair_those_files_count_that_are_there(tmp_path):
    (tmp_path / "vi-da").write_text("x")
    (tmp_path / "vi-en").write_text("not searched")
    found = place(config(f"{tmp_path}/{{source}}-{{target}}"), "mine")
    assert (found.is_elsewhere, found.here) == (False, [tmp_path / "vi-da"])


def test_where_no_pair_has_a_file_an_example_is_named(tmp_path):
    with pytest.raises(UserError, match=r"tasks\.mine\.dictionaries: there is no file .*da-en"):
        place(config(f"{tmp_path}/{{source}}-{{target}}"), "mine")


def test_what_means_nothing_is_refused_with_its_key():
    with pytest.raises(UserError, match=r"tasks\.mine\.dictionaries: "):
        place(config("nowhere"), "mine")


def test_dictionaries_to_learn_from_are_those_of_all_that_train_together(tmp_path):
    (tmp_path / "vi-en").write_text("x")
    given = {**config(), "dictionary": {"dictionaries": f"{tmp_path}/{{source}}-{{target}}"}}
    given["settings"] = {"joint": {"kind": "joint"}}
    given = validated(given)
    found = place(given, "dictionary")
    assert found.here == [tmp_path / "vi-en"]
    assert len(found.pairs) == 6
    assert readers(given)["dictionary"]["module"] == "lexicon_induction"
    assert "dictionary" not in readers(config())


def test_mistakes_of_the_section_name_it(tmp_path):
    given = {**config(), "dictionary": {"dictionaries": f"{tmp_path}/{{source}}-{{target}}"}}
    with pytest.raises(UserError, match=r"^dictionary\.dictionaries: "):
        place(validated(given), "dictionary")
