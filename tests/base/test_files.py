import pytest

from cr5.base.errors import UserError
from cr5.base.files import atomic_file, atomic_folder, scratch_file


def test_file_appears_whole(tmp_path):
    path = tmp_path / "a" / "x.csv"
    with atomic_file(path) as temporary:
        temporary.write_text("new")
        assert temporary.suffix == ".csv"
        assert not path.exists()
    assert path.read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic_file(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_job_left_is_removed_but_not_that_of_another_output(tmp_path):
    for name in (".x.part-abc", ".x.csv.part-abc"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").write_text("")
    with atomic_file(tmp_path / "x") as temporary:
        temporary.write_text("")
    assert sorted(file.name for file in tmp_path.iterdir()) == [".x.csv.part-abc", "x"]


def test_folder_replaces_the_old_one(tmp_path):
    path = tmp_path / "model"
    path.mkdir()
    (path / "stale").write_text("")
    with atomic_folder(path) as temporary:
        (temporary / "new").write_text("")
    assert [file.name for file in path.iterdir()] == ["new"]


def test_a_failure_leaves_the_old_folder(tmp_path):
    path = tmp_path / "model"
    path.mkdir()
    (path / "old").write_text("")
    with pytest.raises(RuntimeError), atomic_folder(path) as temporary:
        (temporary / "half").write_text("")
        raise RuntimeError
    assert [file.name for file in path.iterdir()] == ["old"]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("fails", [False, True])
def test_a_scratch_file_is_on_the_disk_of_the_output_and_never_stays(tmp_path, fails):
    path = tmp_path / "a" / "x.parquet"
    try:
        with scratch_file(path) as scratch, atomic_file(path) as temporary:
            scratch.write_text("half")
            temporary.write_text(scratch.read_text() + " and half")
            assert scratch.parent.parent == path.parent
            if fails:
                raise RuntimeError
    except RuntimeError:
        assert list(path.parent.iterdir()) == []
    else:
        assert path.read_text() == "half and half"
        assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("kind", [atomic_file, atomic_folder])
def test_two_that_write_one_output(tmp_path, kind):
    """What a killed job left is removed, so the second takes the place of the first."""
    place = tmp_path / "out"
    said = "another process began to write it, and removed what this one had written; wait"
    with pytest.raises(UserError, match=f"{place}: {said}"), kind(place) as first:
        with kind(place) as second:
            (second if kind is atomic_file else second / "a").write_text("second")
        (first if kind is atomic_file else first / "a").write_text("first")
    assert (place if kind is atomic_file else place / "a").read_text() == "second"
    with pytest.raises(FileNotFoundError, match="input"), kind(place):
        (tmp_path / "input").read_text()


def test_a_place_where_no_file_can_be_made(tmp_path):
    (tmp_path / "file").write_text("a file")
    for place in ("file/out", "file/folder/out"):
        said = f"{tmp_path / place}: .* is no folder in which files can be made"
        with pytest.raises(UserError, match=said), atomic_file(tmp_path / place):
            pass
