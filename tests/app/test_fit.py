"""`cr5 fit`: from files to a model."""

import json
import os

import pytest

import cr5
from cr5.app.fit import _named
from tests.conftest import articles, write_jsonl

OPTIONS = (
    "--system",
    "cr5",
    "--set",
    "rank=10",
    "--set",
    "ridges=[0.1]",
    "--set",
    "validation.extend=0",
)


@pytest.fixture
def files(tmp_path):
    """One as JSON lines, compressed; one of lines, of which some are blank."""
    write_jsonl(
        tmp_path / "docs.aa.jsonl.xz",
        ({"text": x["text"], "concept": int(x["concept"][1:]) + 1} for x in articles("aa")),
    )
    lines = dict.fromkeys(range(240), "")
    lines |= {int(x["concept"][1:]): x["text"] for x in articles("bb")}
    (tmp_path / "b.txt").write_text("\n".join(lines.values()) + "\n")
    return tmp_path / "docs.aa.jsonl.xz", tmp_path / "b.txt"


def test_files_become_the_model_that_python_makes(call, files, tmp_path):
    aa, bb = files
    out, err, stopped = call("fit", aa, f"bb={bb}", "-o", tmp_path / "m.cr5", *OPTIONS)
    assert stopped is None
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(x["language"], x["documents"], x["words"]) for x in rows] == [
        ("aa", 226, 240),
        ("bb", 227, 240),
    ]
    assert err.startswith("aa: 226 of 226 documents, 240 words\n")
    texts = {x: {y["concept"][1:]: y["text"] for y in articles(x)} for x in ("aa", "bb")}
    texts = {x: {int(y) + 1: z for y, z in of.items()} for x, of in texts.items()}
    expected = cr5.fit(texts, "cr5", rank=10, ridges=[0.1], validation={"extend": 0})
    found = cr5.load(tmp_path / "m.cr5")
    for x in ("aa", "bb"):
        assert found.model.tables[x].tobytes() == expected.model.tables[x].tobytes()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("texts.en.jsonl.xz", "en"),
        ("it.po", "it"),
        ("messages-da.MO", "da"),
        ("da.arrow", "da"),
        ("folder_vi", "vi"),
        ("pt_br=x.tmx", "pt_br"),
    ],
)
def test_a_name_says_the_language_before_its_endings(name, expected):
    """Those of formats that were not listed here, as of it.po, were taken for the language."""
    assert _named(name) == (expected, name.rpartition("=")[2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["memory.tmx"], "memory.tmx: the name does not say the language"),
        (["{bb}"], "b.txt: the name does not say the language; write LANGUAGE=FILE, such as en="),
        (["{aa}", "bb=none.txt"], "none.txt: no such file"),
        (["{aa}"], "cr5 fit: texts: expected some in two or more languages, found 'aa'"),
        (["aa={aa}", "bb={aa}"], "texts: 'aa' and 'bb' have the same texts, so that each would be"),
        (["aa={short}", "bb={bb}"], "short.txt, 240 in "),
        (
            ["{aa}", "bb={bb}", "--system", "cr5", "--set", "rnak=1"],
            "cr5.rnak: unknown key; did you mean 'rank'?",
        ),
        (["{aa}", "bb={bb}", "--set", "rank"], "--set rank: expected KEY=VALUE"),
        (["{aa}", "bb={bb}", "--set", "seed=1", "--set", "seed.x=2"], "seed has a value already"),
        (["{aa}", "bb={bb}", "--system", "cr6"], "Did you mean 'cr5'?"),
        (["{aa}", "bb={bb}", "-o", "{aa}"], "is there already"),
    ],
)
def test_mistakes_are_told_in_one_message(call, files, tmp_path, arguments, message):
    aa, bb = files
    (short := tmp_path / "short.txt").write_text("a text\n\nanother\n")
    given = [x.format(aa=aa, bb=bb, short=short) for x in arguments]
    out, _, stopped = call("fit", "-o", tmp_path / "m.cr5", *given)
    assert (out, stopped.startswith("cr5 fit: ")) == ("", True)
    assert message in stopped
    assert not (tmp_path / "m.cr5").exists()


def test_what_would_be_read_for_ever_is_refused(call, files, tmp_path):
    """A pipe that nobody writes to; and a file with one concept again and again."""
    os.mkfifo(pipe := tmp_path / "pipe")
    (twice := tmp_path / "twice.jsonl").write_text('{"concept": "Q1", "text": "a"}\n' * 3)
    for path, said in (pipe, "a pipe or a device, expected"), (twice, "row 2: the concept 'Q1'"):
        _, _, stopped = call("fit", f"aa={path}", f"bb={files[1]}", "-o", tmp_path / "m.cr5")
        assert f"{path}" in stopped
        assert said in stopped


def test_texts_without_concepts_go_by_their_numbers(call, tmp_path):
    """Of rows, whose fields may have several lines, and of lines; the 100th row has no text."""
    texts = {x: {y["concept"]: y["text"] for y in articles(x)} for x in ("aa", "bb")}
    shared = sorted(texts["aa"].keys() & texts["bb"].keys())
    table = [texts["aa"][x].replace(" ", "\n", 1) if x != shared[99] else "" for x in shared]
    quoted = "".join(f'"{text}"\n' for text in table)
    (tmp_path / "t.aa.csv").write_text(f"text\n{quoted}")
    (tmp_path / "t.bb.txt").write_text("".join(f"{texts['bb'][x]}\n" for x in shared))
    files = tmp_path / "t.aa.csv", tmp_path / "t.bb.txt"
    _, _, stopped = call("fit", *files, "-o", tmp_path / "m.cr5", *OPTIONS)
    assert stopped is None
    listed = [texts["aa"][x] if x != shared[99] else None for x in shared]
    given = {"aa": listed, "bb": [texts["bb"][x] for x in shared]}
    numbers = range(1, len(shared) + 1)
    expected = cr5.fit(
        given, "cr5", concepts=numbers, rank=10, ridges=[0.1], validation={"extend": 0}
    )
    found = cr5.load(tmp_path / "m.cr5")
    for x in ("aa", "bb"):
        assert found.model.tables[x].tobytes() == expected.model.tables[x].tobytes()
