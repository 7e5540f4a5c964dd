"""`cr5 explore`, called as from a shell; what it writes is tested with the page."""

import pytest

from cr5.app import explore
from cr5.app.main import main


def test_options_reach_the_page(monkeypatch, capsys, tmp_path):
    given = []

    def write(*arguments):
        *rest, say = arguments
        given.append(rest)
        say("said only on a terminal")
        tmp_path.joinpath("index.html").write_text("x" * 123_456)
        return tmp_path / "index.html"

    monkeypatch.setattr(explore.page, "write", write)
    systems = ["--system", "a", "--system", "b"]
    main(["explore", "run", "--out", str(tmp_path), *systems, "--queries", "9"])
    folder, out, systems, setting, _, most, _ = given[0]
    assert (folder, out, systems, setting) == ("run", tmp_path, ["a", "b"], None)
    assert most == 9
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"{tmp_path}/index.html (0.1 MB): open it in a browser\n")


def test_a_folder_that_is_no_run(tmp_path):
    with pytest.raises(SystemExit, match=r"cr5 explore: .*ranks: no such folder; expected"):
        main(["explore", str(tmp_path)])
    assert not any(tmp_path.iterdir())
