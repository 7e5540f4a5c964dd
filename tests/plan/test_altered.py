"""What a user is told of results that are no longer what the run made."""

import pytest

from cr5.base.errors import UserError
from cr5.plan import altered, manifest


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("bags/da", "table.csv"):
        path = tmp_path / "results" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("whole")
    outputs = {"bags": "results/bags", "table": "results/table.csv"}
    jobs = [
        {"rule": rule, "wildcards": {}, "inputs": [], "outputs": [path], "network": False}
        for rule, path in outputs.items()
    ]
    manifest.write("results", jobs, {"corpus": {"name": "x"}})
    return tmp_path / "results"


def test_untouched_results_are_let_pass(results):
    altered.check("results")
    altered.check("nowhere")


def test_each_output_is_named_with_the_remedy(results):
    (results / "bags" / "da").write_text("wh")
    (results / "table.csv").write_text("")
    with pytest.raises(UserError) as raised:
        altered.check("results")
    bags, table = str(raised.value).splitlines()
    assert bags.startswith("Error: results/bags: not what its job made")
    assert bags.endswith("remove results/bags and run again")
    assert table.endswith("remove results/table.csv and run again")
