"""What counts as the same figures."""

import pandas as pd
import pytest

from benchmarks.same_figures import main
from tests.kit.run import KEYS

CR5 = ("joint", "cr5", "documents", "da", "en", "cosine", "RR")
XCNN = ("joint", "xcnn_self", "documents", "da", "en", "cosine", "RR")
OLD = [(*CR5, "mean", 0.5), (*XCNN, "mean", 0.3), (*XCNN, "1", 0.2), (*XCNN, "2", 0.4)]


def changed(place, value):
    return [(*row[:-1], value) if i == place else row for i, row in enumerate(OLD)]


@pytest.mark.parametrize(
    ("rows", "listed", "status"),
    [
        pytest.param(OLD, "", 0, id="equal"),
        pytest.param(changed(0, 0.5004), "", 0, id="in the fourth digit"),
        pytest.param(changed(0, 0.501), "", 1, id="in the third"),
        pytest.param(OLD[1:], "", 1, id="a row is missing"),
        pytest.param([], "", 1, id="nothing in common"),
        pytest.param([*OLD, (*CR5[:-1], "P@1", "mean", 0.1)], "", 0, id="a new row"),
        pytest.param(changed(1, 0.45), "", 0, id="chaotic, within what repetitions differ by"),
        pytest.param(changed(1, 0.55), "", 1, id="chaotic, beyond it"),
        pytest.param(changed(2, 0.3), "", 0, id="a repetition of a chaotic system"),
        (changed(0, 0.6), "tiny,,cr5,,,,,RR,the criterion was corrected", 0),
        (changed(0, 0.6), ",joint,,,da,,,,everything of a setting", 0),
        (changed(0, 0.6), "other,,cr5,,,,,RR,of another run", 1),
        (changed(0, 0.6), "tiny,,cr5,,,,,P@1,of another metric", 1),
    ],
)
def test_status(tmp_path, rows, listed, status):
    for name, each in (("old", OLD), ("new", rows)):
        frame = pd.DataFrame(each, columns=[*KEYS, "repetition", "value"])
        frame.assign(run="tiny").to_csv(tmp_path / name, index=False)
    (tmp_path / "reasons").write_text(f"{','.join(['run', *KEYS, 'reason'])}\n{listed}")
    paths = [str(tmp_path / name) for name in ("old", "new", "reasons")]
    assert main([*paths[:2], "--differences", paths[2]]) == status
