"""What counts as the same figures."""

import pandas as pd
import pytest

from benchmarks.same_figures import main
from tests.kit.run import KEYS

CR5 = ("joint", "cr5", "documents", "da", "en", "cosine", "RR")
XCNN = ("joint", "xcnn_self", "documents", "da", "en", "cosine", "RR")
OLD = [(*CR5, "mean", 0.5), (*XCNN, "mean", 0.3), (*XCNN, "1", 0.2), (*XCNN, "2", 0.4)]


@pytest.fixture
def compare(tmp_path):
    def status(rows, listed=None):
        for name, each in (("old", OLD), ("new", rows)):
            frame = pd.DataFrame(each, columns=[*KEYS, "repetition", "value"])
            frame.assign(run="tiny").to_csv(tmp_path / name, index=False)
        reasons = ",".join(["run", *KEYS, "reason"]) + (f"\n{listed}" if listed else "")
        (tmp_path / "reasons.csv").write_text(reasons)
        paths = map(str, (tmp_path / "old", tmp_path / "new"))
        return main([*paths, "--differences", str(tmp_path / "reasons.csv")])

    return status


def changed(place, value):
    return [(*row[:-1], value) if i == place else row for i, row in enumerate(OLD)]


@pytest.mark.parametrize(
    ("rows", "status"),
    [
        pytest.param(OLD, 0, id="equal"),
        pytest.param(changed(0, 0.5004), 0, id="in the fourth digit"),
        pytest.param(changed(0, 0.501), 1, id="in the third"),
        pytest.param(OLD[1:], 1, id="a row is missing"),
        pytest.param([*OLD, (*CR5[:-1], "P@1", "mean", 0.1)], 0, id="a new row"),
        pytest.param(changed(1, 0.45), 0, id="chaotic, within what repetitions differ by"),
        pytest.param(changed(1, 0.55), 1, id="chaotic, beyond it"),
        pytest.param(changed(2, 0.3), 0, id="a repetition of a chaotic system"),
    ],
)
def test_status(compare, rows, status):
    assert compare(rows) == status


@pytest.mark.parametrize(
    ("listed", "status"),
    [
        ("tiny,,cr5,,,,,RR,the criterion was corrected", 0),
        (",joint,,,da,,,,everything of a setting", 0),
        ("other,,cr5,,,,,RR,of another run", 1),
        ("tiny,,cr5,,,,,P@1,of another metric", 1),
    ],
)
def test_a_difference_needs_a_reason(compare, capsys, listed, status):
    assert compare(changed(0, 0.6), listed) == status
    assert "0.1" in capsys.readouterr().out


def test_nothing_in_common_is_not_the_same(tmp_path):
    for name in ("old", "new"):
        frame = pd.DataFrame(OLD, columns=[*KEYS, "repetition", "value"])
        frame.assign(run=name).to_csv(tmp_path / name, index=False)
    assert main([str(tmp_path / "old"), str(tmp_path / "new")]) == 1
