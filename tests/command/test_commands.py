"""The command, called as from a shell: models in and out of files."""

import io
import json
import lzma
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.models import export, store
from cr5.models.bank import with_bank
from tests.kit.corpus import CORPUS, N_CONCEPTS
from tests.retrieval import made_up

OPTIONS = [
    "--system",
    "cr5",
    "--set",
    "rank=10",
    "--set",
    "ridges=[0.1]",
    "--set",
    'validation={"extend": 0}',
]


def texts_by_number(language):
    return {int(concept[1:]): text for concept, text in CORPUS.documents[language].items()}


TEXTS = {"da": texts_by_number("da"), "en": texts_by_number("en")}


@pytest.fixture
def files(tmp_path):
    """One as JSON lines, compressed; one of lines, of which some are blank."""
    rows = [{"text": text, "concept": concept} for concept, text in TEXTS["da"].items()]
    with lzma.open(tmp_path / "a.jsonl.xz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    lines = dict.fromkeys(range(N_CONCEPTS), "") | TEXTS["en"]
    (tmp_path / "b.txt").write_text("\n".join(lines.values()) + "\n")
    return tmp_path / "a.jsonl.xz", tmp_path / "b.txt"


def test_files_become_the_model_that_python_makes(call, files, tmp_path):
    rows = tmp_path / "b.tsv"
    lines = [f"{concept}\t{text}\n" for concept, text in TEXTS["en"].items()]
    rows.write_text("".join(["concept\ttext\n"] + lines))
    arguments = [f"da={files[0]}", f"en={rows}", "-o", tmp_path / "m.cr5"]
    out, messages, stopped = call("fit", *arguments, *OPTIONS)
    assert (out, stopped) == ("", None)
    assert messages.startswith("da: 191 of 191 documents, 120 words\n")
    expected = cr5.fit(TEXTS, "cr5", rank=10, ridges=[0.1], validation={"extend": 0})
    tables = cr5.load(tmp_path / "m.cr5").model.tables
    for language in ("da", "en"):
        assert tables[language].tobytes() == expected.model.tables[language].tobytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{en}"], "b.txt: expected LANGUAGE=FILE, such as en="),
        (["da={da}", "en=none.txt"], "none.txt: No such file"),
        (
            ["da={short}", "en={en}"],
            "texts: 3 of 'da', 200 of 'en'; texts of one position belong together",
        ),
        (["da={da}", "da={en}"], "'da' is there twice; give one file of a language"),
        (["da={named}", "en={named}"], "texts, da, number 2, concept None"),
        (["da={pipe}", "en={en}"], "a pipe or a device, expected"),
        (["da={da}", "en={en}", "--set", "rank"], "--set rank: expected KEY=VALUE"),
        (["da={da}", "en={en}", "--set", "bags.x=2"], 'of a section bags={"min_documents": 2}'),
        (["da={da}", "en="], "en=: expected LANGUAGE=FILE, such as en=english.txt"),
        (["da={da}", "en={en}", "--set", "texts=3"], "--set texts: no option of a system"),
        (
            ["da={da}", "en={en}", "--encoder", "x", "--set", "encoder=y"],
            "--encoder: --set has an encoder, too; leave one of them out",
        ),
        (["da={da}", "en={en}", "--set", "k=1", "--set", "k=2"], "--set k: given twice; give it"),
        (
            ["da={da}", "en={en}", "--set", 'bags={{"fold": 1, "fold": 2}}'],
            "--set bags: the key 'fold' is there twice in one object; leave one",
        ),
        (["da={da}", "en={en}", "-o", "{da}"], "is there already"),
    ],
)
def test_mistakes_are_told_in_one_message(call, files, tmp_path, arguments, message):
    places = dict(zip(("da", "en"), files, strict=True)) | {"short": tmp_path / "short.txt"}
    places["short"].write_text("a text\n\nanother\n")
    places["named"] = tmp_path / "named.jsonl"
    places["named"].write_text('{"concept": "Q1", "text": "one"}\n{"text": "two"}\n')
    os.mkfifo(tmp_path / "pipe")
    filled = [argument.format(**places, pipe=tmp_path / "pipe") for argument in arguments]
    if "-o" not in filled:
        filled += ["-o", tmp_path / "m.cr5"]
    out, _, stopped = call("fit", *filled)
    assert (out, stopped.startswith("cr5 fit: ")) == ("", True)
    assert message in stopped
    assert not (tmp_path / "m.cr5").exists()


def test_an_option_is_given_once(call, tmp_path):
    """By argparse the last would win without a word."""
    fit = ["fit", "da=a.txt", "-o", tmp_path / "m.cr5"]
    _, messages, stopped = call(*fit, "--system", "cr5", "--system=opca")
    assert stopped == 2
    assert messages.endswith("argument --system: given twice; give it once\n")


@pytest.mark.parametrize("arguments", [["--to", ""], ["--to=it", "--file", ""], ["--measure="]])
def test_an_empty_value_is_not_the_default(call, tmp_path, arguments):
    """A variable of the shell that is not set stands for no folder, and not for this one."""
    _, messages, stopped = call("search", tmp_path, "--from", "en", *arguments)
    assert stopped == 2
    assert "found an empty text" in messages


def test_a_reader_that_has_enough_of_the_messages_stops_no_fit(tmp_path):
    for language in ("da", "en"):
        texts = texts_by_number(language)
        (tmp_path / f"{language}.jsonl").write_text(
            "".join(json.dumps({"id": n, "text": texts[n]}) + "\n" for n in sorted(texts))
        )
    fit = f"{sys.executable} -m cr5 fit da=da.jsonl en=en.jsonl -o m.cr5 {shlex.join(OPTIONS)}"
    command = f"{fit} 2>&1 | head -c 1"
    subprocess.run(command, shell=True, check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
    assert (tmp_path / "m.cr5").exists()


@pytest.mark.parametrize(
    ("system", "encoder", "message"),
    [
        ("best", "no_folder", "no_folder: no such file"),
        ("cr5", "e5_small", "systems.cr5.encoder: unknown key"),
        ("cr5", "./e5_small", "systems.cr5.encoder_path: unknown key"),
    ],
)
def test_an_encoder_is_named_or_a_folder(call, tmp_path, system, encoder, message):
    files = []
    for language in ("da", "en"):
        path = tmp_path / f"{language}.txt"
        path.write_text("\n".join(list(TEXTS[language].values())[:100]))
        files.append(f"{language}={path}")
    arguments = [*files, "--system", system, "--encoder", encoder]
    _, _, stopped = call("fit", "-o", tmp_path / "m.cr5", *arguments)
    assert message in stopped


def test_vectors_as_json_lines(call, rows_of, small_folder, monkeypatch):
    rows, stopped = rows_of("embed", small_folder, "--from", "en", "Dog!", "the sea")
    assert rows == [{"id": "1", "vector": [0, 1, 0]}, {"id": "2", "vector": [0, 0, 1]}]
    assert stopped is None
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"gatto\nmare\n" * 80)))
    rows, _ = rows_of("embed", small_folder.parents[3], "--from", "it")
    assert [row["vector"] for row in rows] == [[1, 0, 0], [0, 0, 1]] * 80
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n")))
    out, _, stopped = call("embed", small_folder, "--from", "en")
    assert out == ""
    assert stopped.startswith("cr5 embed: standard input: there is no text")


def test_vectors_with_strings_are_printed_without_them(call, rows_of, tmp_path):
    made_up.embedder("joined").save(tmp_path / "joined")
    _, _, stopped = call("embed", tmp_path / "joined", "--from", "it", "itaa")
    assert "name --dense" in stopped
    [row], stopped = rows_of("embed", tmp_path / "joined", "--from", "it", "--dense", "itaa")
    assert stopped is None
    [expected] = made_up.embedder("dense").embed("itaa", "it")
    assert row["vector"] == pytest.approx(expected, abs=1e-6)


def test_what_a_model_and_a_run_hold(rows_of, small_folder):
    assert rows_of("info", small_folder)[0] == [
        {"language": "en", "words": 4, "measures": "cosine, csls"},
        {"language": "it", "words": 3, "measures": "cosine, csls"},
    ]
    row = {"setting": "joint", "system": "cr5", "repetition": "1", "languages": "en, it"}
    assert rows_of("info", small_folder.parents[3])[0] == [row | {"path": str(small_folder)}]


def test_keys_of_a_part_and_the_schema_need_no_place(call, rows_of):
    assert rows_of("info", "--options", "documents")[0][0]["key"] == "idf"
    assert "systems" in json.loads(call("info", "--schema")[0])["properties"]
    assert "did you mean 'documents'?" in call("info", "--options", "documnets")[2]
    assert call("info")[2].startswith("cr5 info: .: not there, or no model; expected")


@pytest.mark.parametrize(
    ("shell", "status", "said"),
    [
        ("embed {model} --from en --file {many} | head -1", 0, ""),
        ("embed {model} --from en cat 12", 0, "1 of 2 texts have no word"),
        ("embed {model} --from en <&-", 1, "no text"),
        ("embed {model} --from en >&-", 1, "is closed"),
        ("info {model} > /dev/full", 1, "No space left on device"),
    ],
)
def test_input_and_output_that_end(small_folder, tmp_path, shell, status, said):
    (tmp_path / "many.txt").write_text("cat\n" * 20000)
    arguments = shell.format(model=small_folder, many=tmp_path / "many.txt")
    command = f"{sys.executable} -m cr5 {arguments}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == status
    assert said in done.stderr if said else done.stderr == ""
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["search", "--help"]])
def test_help_loads_nothing_heavy(arguments):
    program = (
        "import sys, atexit\n"
        "from cr5.cli import main\n"
        "atexit.register(lambda: print(*{name.partition('.')[0] for name in sys.modules}))\n"
        f"main({arguments})"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout
    loaded = set(printed.splitlines()[-1].split())
    assert "cr5" in loaded
    assert loaded & {"numpy", "pandas", "scipy", "pyarrow", "numba", "pydantic"} == set()


@pytest.mark.parametrize("kind", list(export.WRITERS) + [export.PACKED])
def test_what_is_written_and_what_is_left_out(call, small_model, tmp_path, kind):
    documents = {
        language: sparse.identity(len(words), format="csr")
        for language, words in small_model.words.items()
    }
    model = with_bank(replace(small_model, rerank=0.5), documents)
    store.save(tmp_path / "kept", model, {"system": "cr5", "setting": "joint"})
    out = tmp_path / ("out.cr5" if kind == export.PACKED else "out")
    _, said, stopped = call("export", tmp_path / "kept", kind, out)
    assert stopped is None
    assert f"{out}: 7 words" in said
    assert ("Left out of the model" in said) == (kind != export.PACKED)
    if kind == export.PACKED:
        exported = cr5.load(out)
        assert exported.measure == "csls+matches"
        assert exported.model.rerank == 0.5
        assert exported.about["system"] == "cr5"
        np.testing.assert_allclose(exported.embed(["gatto"], "it"), [[1, 0, 0]], atol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["packed", "OUT"], "OUT: let the name of a packed model end in .cr5"),
        (["word2vec", "."], r"\. is there already: remove it, or name another place"),
        (["word2vec", "OUT", "--system", "x"], "no model of system 'x'.*; there: joint/cr5/1"),
    ],
)
def test_mistakes_of_export(rows_of, small_folder, monkeypatch, tmp_path, arguments, said):
    monkeypatch.chdir(tmp_path)
    rows, stopped = rows_of("export", small_folder.parents[3], *arguments)
    assert rows == []
    assert re.search(f"cr5 export: .*{said}", stopped)
