"""`cr5 fit`: from files to a model."""

import json
import lzma
import os

import pytest

import cr5
from cr5.app.fit import _named
from tests.kit.corpus import N_CONCEPTS, Corpus

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

TEXTS = {
    x: {int(concept[1:]) + 1: text for concept, text in Corpus().documents[x].items()}
    for x in ("da", "en")
}


@pytest.fixture
def files(tmp_path):
    """One as JSON lines, compressed; one of lines, of which some are blank."""
    rows = [{"text": text, "concept": x} for x, text in TEXTS["da"].items()]
    with lzma.open(tmp_path / "docs.da.jsonl.xz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    lines = dict.fromkeys(range(1, N_CONCEPTS + 1), "") | TEXTS["en"]
    (tmp_path / "b.txt").write_text("\n".join(lines.values()) + "\n")
    return tmp_path / "docs.da.jsonl.xz", tmp_path / "b.txt"


def test_files_become_the_model_that_python_makes(call, files, tmp_path):
    da, en = files
    out, err, stopped = call("fit", da, f"en={en}", "-o", tmp_path / "m.cr5", *OPTIONS)
    assert stopped is None
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(x["language"], x["documents"], x["words"]) for x in rows] == [
        ("da", 191, 120),
        ("en", 189, 120),
    ]
    assert err.startswith("da: 191 of 191 documents, 120 words\n")
    expected = cr5.fit(TEXTS, "cr5", rank=10, ridges=[0.1], validation={"extend": 0})
    found = cr5.load(tmp_path / "m.cr5")
    for x in ("da", "en"):
        assert found.model.tables[x].tobytes() == expected.model.tables[x].tobytes()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("texts.en.jsonl.xz", "en"),
        ("it.csv", "it"),
        ("messages-da.TSV", "da"),
        ("da.parquet", "da"),
        ("texts_vi", "vi"),
        ("pt_br=x.txt", "pt_br"),
    ],
)
def test_a_name_says_the_language_before_its_endings(name, expected):
    assert _named(name) == (expected, name.rpartition("=")[2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["memory.csv"], "memory.csv: the name does not say the language"),
        (["{en}"], "b.txt: the name does not say the language; write LANGUAGE=FILE, such as en="),
        (["{da}", "en=none.txt"], "none.txt: no such file"),
        (["{da}"], "cr5 fit: texts: expected some in two or more languages, found 'da'"),
        (["da={da}", "en={da}"], "texts: 'da' and 'en' have the same texts, so that each would be"),
        (["da={short}", "en={en}"], "short.txt, 200 in "),
        (
            ["{da}", "en={en}", "--system", "cr5", "--set", "rnak=1"],
            "cr5.rnak: unknown key; did you mean 'rank'?",
        ),
        (["{da}", "en={en}", "--set", "rank"], "--set rank: expected KEY=VALUE"),
        (["{da}", "en={en}", "--set", "seed=1", "--set", "seed.x=2"], "seed has a value already"),
        (["{da}", "en={en}", "--system", "cr6"], "did you mean 'cr5'?"),
        (["{da}", "en={en}", "-o", "{da}"], "is there already"),
    ],
)
def test_mistakes_are_told_in_one_message(call, files, tmp_path, arguments, message):
    da, en = files
    (short := tmp_path / "short.txt").write_text("a text\n\nanother\n")
    given = [x.format(da=da, en=en, short=short) for x in arguments]
    out, _, stopped = call("fit", "-o", tmp_path / "m.cr5", *given)
    assert (out, stopped.startswith("cr5 fit: ")) == ("", True)
    assert message in stopped
    assert not (tmp_path / "m.cr5").exists()


def test_what_would_be_read_for_ever_is_refused(call, files, tmp_path):
    """A pipe that nobody writes to; and a file with one concept again and again."""
    os.mkfifo(pipe := tmp_path / "pipe")
    (twice := tmp_path / "twice.jsonl").write_text('{"concept": "Q1", "text": "a"}\n' * 3)
    for path, said in (pipe, "a pipe or a device, expected"), (twice, "row 2: the concept 'Q1'"):
        _, _, stopped = call("fit", f"da={path}", f"en={files[1]}", "-o", tmp_path / "m.cr5")
        assert f"{path}" in stopped
        assert said in stopped


def test_texts_without_concepts_go_by_their_numbers(call, tmp_path):
    """Of rows, whose fields may have several lines, and of lines; the 100th row has no text."""
    shared = sorted(TEXTS["da"].keys() & TEXTS["en"].keys())
    table = [TEXTS["da"][x].replace(" ", "\n", 1) if x != shared[99] else "" for x in shared]
    quoted = "".join(f'"{text}"\n' for text in table)
    (tmp_path / "t.da.csv").write_text(f"text\n{quoted}")
    (tmp_path / "t.en.txt").write_text("".join(f"{TEXTS['en'][x]}\n" for x in shared))
    files = tmp_path / "t.da.csv", tmp_path / "t.en.txt"
    _, _, stopped = call("fit", *files, "-o", tmp_path / "m.cr5", *OPTIONS)
    assert stopped is None
    listed = [TEXTS["da"][x] if x != shared[99] else None for x in shared]
    given = {"da": listed, "en": [TEXTS["en"][x] for x in shared]}
    numbers = range(1, len(shared) + 1)
    expected = cr5.fit(
        given, "cr5", concepts=numbers, rank=10, ridges=[0.1], validation={"extend": 0}
    )
    found = cr5.load(tmp_path / "m.cr5")
    for x in ("da", "en"):
        assert found.model.tables[x].tobytes() == expected.model.tables[x].tobytes()
