import subprocess
import sys

import pytest

from cr5.base.errors import UserError
from cr5.base.files import alone, atomic_file, atomic_folder, scratch_file

KINDS = [atomic_file, atomic_folder]


def within(kind, path):
    """The text's place: the file itself, or one in the folder."""
    return path if kind is atomic_file else path / "a"


@pytest.mark.parametrize("kind", KINDS)
def test_an_output_appears_whole_in_the_place_of_the_old_one(tmp_path, kind):
    path = tmp_path / "below" / "x.csv"
    for text in ("old", "new"):
        with kind(path) as temporary:
            within(kind, temporary).write_text(text)
            assert temporary.suffix == ".csv"
            assert path.exists() == (text == "new")
        assert within(kind, path).read_text() == text
        assert list(path.parent.iterdir()) == [path]
    with pytest.raises(RuntimeError), kind(path) as temporary:
        within(kind, temporary).write_text("half")
        raise RuntimeError
    assert within(kind, path).read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


def test_what_a_killed_job_left_is_removed_but_not_that_of_another_output(tmp_path):
    for name in (".x.part-abc", ".x.csv.part-abc"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").write_text("")
    with atomic_file(tmp_path / "x") as temporary:
        temporary.write_text("")
    assert sorted(file.name for file in tmp_path.iterdir()) == [".x.csv.part-abc", "x"]


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


@pytest.mark.parametrize("kind", KINDS)
def test_two_that_write_one_output(tmp_path, kind):
    """What a killed job left is removed, so the second takes the place of the first."""
    place = tmp_path / "out"
    with pytest.raises(UserError, match=f"{place}: another process"), kind(place) as first:
        with kind(place) as second:
            within(kind, second).write_text("second")
        within(kind, first).write_text("first")
    assert within(kind, place).read_text() == "second"
    with pytest.raises(FileNotFoundError, match="input"), kind(place):
        (tmp_path / "input").read_text()


def test_a_place_where_no_file_can_be_made(tmp_path):
    (tmp_path / "file").write_text("a file")
    for place in ("file/out", "file/folder/out"):
        said = f"{tmp_path / place}: .* is no folder in which files can be made"
        with pytest.raises(UserError, match=said), atomic_file(tmp_path / place):
            pass


def test_one_writes_to_a_folder_at_a_time_and_a_process_that_dies_lets_it_go(tmp_path):
    take = f"from cr5.base.files import alone; held = alone({str(tmp_path)!r}); held.__enter__()"
    with alone(tmp_path):
        with pytest.raises(UserError, match="another run writes there"), alone(tmp_path):
            pass
        assert subprocess.run([sys.executable, "-c", take], capture_output=True).returncode == 1
    subprocess.run([sys.executable, "-c", f"{take}; import os; os.abort()"], capture_output=True)
    with alone(tmp_path):
        pass
