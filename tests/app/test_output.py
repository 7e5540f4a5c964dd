"""Tables for people, lines for programs."""

import argparse
import json

from cr5.app import output

ROWS = [
    {"rank": 1, "score": 0.5, "id": "1e5", "title": "Two\nlines,\r\na\ttab"},
    {"rank": 2, "score": 12.25, "id": "0.10", "title": "\x1b[2Jone\u2028more"},
]


def written(capsys, **given):
    output.write(ROWS, argparse.Namespace(**given), tuple(ROWS[0]))
    return capsys.readouterr().out


def test_a_row_of_a_table_is_one_line(capsys):
    lines = written(capsys, table=True, json=False).split("\n")
    assert [line.split() for line in (lines[0], *lines[2:])] == [
        ["rank", "score", "id", "title"],
        ["1", "0.500", "1e5", "Two", "lines,", "a", "tab"],
        ["2", "12.250", "0.10", "[2Jone", "more"],
        [],
    ]


def test_lines_for_programs_are_exact(capsys):
    lines = written(capsys, table=False, json=True).rstrip().split("\n")
    assert [json.loads(line) for line in lines] == ROWS


def test_a_table_of_nothing_is_its_head(capsys):
    output.write_table([], ("id", "title"))
    assert capsys.readouterr().out.split()[:2] == ["id", "title"]


def test_a_table_fits_the_terminal(capsys, monkeypatch):
    row = {
        "rank": 1,
        "id": "x" * 30,
        "title": "A title of some words",
        "why": "cat/gatto 0.82 " * 9,
    }
    columns = tuple(row)
    output.write_table([row], columns)
    assert max(map(len, capsys.readouterr().out.splitlines())) > 180
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    output.write_table([row], columns)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 90
    assert "".join(lines).count("cat/gatto") == 9
    assert "A title of some words" in lines[2]  # only the widest column is wrapped
