"""Files dated in the future, which snakemake would take for newer than what is made from them."""

import os
import time

import pytest

from cr5.base.errors import UserError
from cr5.plan import dates

HOUR = 3600


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draws").mkdir()
    for name in ("old", "now", "draws/.snakemake_timestamp", "draws/a"):
        (tmp_path / name).touch()
    os.utime("old", (0, 0))
    return tmp_path


def date(path, seconds):
    os.utime(path, (time.time() + seconds,) * 2)


def test_dates_of_today_and_before_are_let_pass(folder):
    date("now", 20)  # as clocks of two machines may differ
    dates.check(["old", "now", "draws", "nowhere"])


def test_each_is_named_with_its_date_and_the_remedy(folder):
    os.utime("now", (4102444800,) * 2)  # 2100-01-01, 00:00 UTC
    date("draws/.snakemake_timestamp", HOUR)
    with pytest.raises(UserError) as raised:
        dates.check(["old", "now", "draws"])
    draws, now = str(raised.value).splitlines()
    assert draws.startswith("Error: draws/.snakemake_timestamp: dated ")
    assert draws.endswith("touch draws/.snakemake_timestamp, and run again")
    assert now.startswith(("Error: now: dated 2100-01-01", "Error: now: dated 2099-12-31"))


def test_what_is_in_a_folder_does_not_count(folder):
    date("draws/a", HOUR)
    date("draws", HOUR)
    dates.check(["draws"])
