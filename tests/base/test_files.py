import subprocess
import sys

import pytest

from cr5.base.errors import UserError
from cr5.base.files import alone, atomic_file, atomic_folder, scratch


@pytest.mark.parametrize("kind", [atomic_file, atomic_folder])
def test_an_output_appears_whole_in_the_place_of_the_old_one(tmp_path, kind):
    def within(path):
        return path if kind is atomic_file else path / "a"

    path = tmp_path / "below" / "x.csv"
    for text in ("old", "new"):
        with kind(path) as temporary:
            within(temporary).write_text(text)
            assert temporary.suffix == ".csv"
            assert path.exists() == (text == "new")
        assert within(path).read_text() == text
        assert list(path.parent.iterdir()) == [path]
    with pytest.raises(RuntimeError), kind(path) as temporary:
        within(temporary).write_text("half")
        raise RuntimeError
    assert within(path).read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


def test_what_a_killed_job_left_is_removed_but_not_that_of_another_output(tmp_path):
    for name in (".x.part-abc", ".x.csv.part-abc"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").write_text("")
    with scratch(tmp_path / "x") as temporary:
        temporary.write_text("")
        assert temporary.parent.parent == tmp_path  # on the disk of the output
    assert [file.name for file in tmp_path.iterdir()] == [".x.csv.part-abc"]


@pytest.mark.parametrize("place", ["file/out", "file/folder/out"])
def test_a_place_within_a_file(tmp_path, place):
    (tmp_path / "file").write_text("a file")
    message = f"{tmp_path / place}: .* is no folder"
    with pytest.raises(UserError, match=message), atomic_file(tmp_path / place):
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
