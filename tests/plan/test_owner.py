import pytest

from cr5.base.errors import UserError
from cr5.plan.before import check_owner, claim

pytestmark = pytest.mark.usefixtures("folder")


def test_a_folder_without_a_marker_is_anybody_s():
    check_owner("results/x", ["a.yaml"])
    check_owner("results/x", [])


def test_the_first_run_owns_the_folder_and_others_are_refused():
    claim("results/x", ["config/a.yaml"])
    check_owner("results/x", ["config/a.yaml"])
    check_owner("results/y", ["config/b.yaml"])
    with pytest.raises(UserError) as caught:
        check_owner("results/x", ["config/b.yaml"])
    said = str(caught.value)
    assert "results/x was made by config/a.yaml; config/b.yaml would overwrite it" in said
    assert "remove results/x/made_by.txt" in said


def test_a_claim_does_not_take_over():
    claim("results/x", ["a.yaml"])
    claim("results/x", ["b.yaml"])
    check_owner("results/x", ["a.yaml"])


def test_without_files_the_default_is_meant():
    claim("results/x", [])
    check_owner("results/x", ["config/config.yaml"])
    with pytest.raises(UserError, match=r"made by config/config\.yaml; mine\.yaml would"):
        check_owner("results/x", ["mine.yaml"])


def test_all_files_count_in_their_order():
    claim("results/x", ["a.yaml", "b.yaml"])
    for other in (["a.yaml"], ["b.yaml", "a.yaml"]):
        with pytest.raises(UserError, match=r"made by a\.yaml and b\.yaml"):
            check_owner("results/x", other)


def test_a_path_may_be_written_in_several_ways(folder):
    claim("results/x", ["config/../a.yaml"])
    (folder / "link").symlink_to(folder)
    check_owner("results/x", [folder / "a.yaml"])
    check_owner("results/x", ["link/a.yaml"])


def test_all_may_be_moved_together(folder, monkeypatch):
    (folder / "one").mkdir()
    monkeypatch.chdir(folder / "one")
    claim("results/x", ["a.yaml"])
    (folder / "one").rename(folder / "two")
    monkeypatch.chdir(folder / "two")
    check_owner("results/x", ["a.yaml"])


def test_the_description_in_the_results_may_be_used_and_owns_nothing(folder):
    check_owner("results/x", ["results/x/config.yaml"])
    claim("results/x", ["results/x/config.yaml"])
    assert not (folder / "results").exists()
    claim("results/x", ["a.yaml"])
    check_owner("results/x", ["results/x/config.yaml"])


def test_once_the_marker_is_removed_others_may(folder):
    claim("results/x", ["a.yaml"])
    (folder / "results/x/made_by.txt").unlink()
    check_owner("results/x", ["b.yaml"])


def test_a_damaged_marker_is_named(folder):
    claim("results/x", [])
    (folder / "results" / "x" / "made_by.txt").write_bytes(b"\xdb\xff")
    with pytest.raises(UserError, match=r"made_by\.txt: "):
        check_owner("results/x", [])
