"""One last line that is written over and over, on a terminal only."""

from snakemake_logger_plugin_cr5 import terminal
from snakemake_logger_plugin_cr5.terminal import CLEAR, Terminal


def test_on_a_terminal_the_last_line_stays_below_what_is_written(screen):
    shown = Terminal(screen)
    shown.show("1/9 fit")
    shown.write("a stage")
    shown.show("2/9 rank " + "x" * 99)
    shown.end()
    longest = ("2/9 rank " + "x" * 99)[:79]
    expected = f"{CLEAR}1/9 fit{CLEAR}a stage\n1/9 fit{CLEAR}{longest}{CLEAR}"
    assert screen.getvalue() == expected


def test_without_one_there_is_news_now_and_then(pipe, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: now[0])
    shown = Terminal(pipe)
    shown.show("1/9")
    now[0] += terminal.NEWS
    shown.show("2/9")
    shown.show("3/9")
    shown.end()
    assert pipe.getvalue() == "2/9\n"


def test_a_reader_who_is_gone_stops_no_run(pipe):
    shown = Terminal(pipe)
    pipe.close()
    shown.write("x")


def test_paragraphs_are_folded(pipe, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    Terminal(pipe).fold("some words that are long")
    assert pipe.getvalue() == "some words that are\n  long\n"
