import logging

from cr5.corpora.fetch.progress import Progress, amount, duration


def test_amounts_and_durations():
    assert [amount(n) for n in (0, 999, 1500, 2.5e6, 45e9)] == [
        *("0 bytes", "999 bytes", "1.5 kB", "2.5 MB", "45.0 GB")
    ]
    assert [duration(s) for s in (5, 600, 9000)] == ["5 s", "10 min", "2.5 h"]


def test_a_line_every_ten_seconds_however_often_something_comes(caplog):
    now = [0.0]
    progress = Progress("it", clock=lambda: now[0])
    progress.begin(1_000_000, 101_000_000)
    with caplog.at_level(logging.INFO):
        for _ in range(25):
            now[0] += 1
            progress.add(1_000_000)
    assert caplog.messages == [
        "it: 11.0 MB of 101.0 MB (11 %), 1.0 MB/s, 90 s left".replace("90 s", "2 min"),
        "it: 21.0 MB of 101.0 MB (21 %), 1.0 MB/s, 80 s left",
    ]
    assert progress.received == 25_000_000


def test_without_a_known_size():
    progress = Progress("it", clock=lambda: 0.0)
    progress.begin(0, None)
    progress.add(3_000)
    assert progress.line(2.0) == "it: 3.0 kB, 1.5 kB/s"
