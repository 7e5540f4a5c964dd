"""Whatever users' texts hold: each comes out of its file, or it is told, or the file is refused."""

import csv
import json
import logging
import re

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cr5 import cli_texts
from cr5.base.errors import UserError
from cr5.given_texts import documents
from cr5.texts import aligned, dictionaries, judged, rows
from cr5.texts.parallel import Place
from cr5.texts.sources.files import Files
from tests.kit.inside import records

# Neither é nor ü, nor a Japanese or Russian letter, is valid UTF-8 in one of the other encodings.
PIECES = ["cat", "dog", " ", "é", "ü", "日本", "я", "x y"]
PIECES += ["\t", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\u3000", "\ufeff"]
PIECES += ["\0", "\x1b", "\x0e", "\x02", "\x1a", "\ud83d", '"', "'", ",", ";", "|", "\\", "sep=;"]
PIECES += ["<html>", "<b>", "<?xml ?>", 'msgid "', "WEBVTT", '{"a": 1}', "[", "PK\x03\x04", "%PDF-"]
PIECES += ["#", "1", "0", "text", "id", "concept"]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"]
ENCODINGS += ["latin-1", "cp1252", "gb18030", "shift_jis", "iso2022_jp", "iso2022_kr"]
COUNTED = re.compile(r"(\d+) of \d+ texts are missing")
# What else is told: how a file was read where it may be meant in two ways.
DOUBTS = re.compile("quote|carriage return|tabs are white space|its id, as '(?!x-)")


def table(separator, quoting=csv.QUOTE_MINIMAL):
    def write(path, texts, encoding, end):
        with path.open("w", encoding=encoding, newline="") as file:
            out = csv.writer(file, delimiter=separator, quoting=quoting, lineterminator=end)
            out.writerows([("concept", "text"), *enumerate(texts)])

    return write


def lines(start=""):
    """Texts on lines, which they cannot have within; behind `start`, such as an id."""

    def write(path, texts, encoding, end):
        content = ""
        for number, text in enumerate(texts):
            line = text.replace("\n", " ")
            if end == "\r":
                line = line.replace("\r", " ")
            content += start.format(number) + line + end
        path.write_bytes(content.encode(encoding))

    return write


def objects(path, texts, encoding, end):
    content = ""
    for number, text in enumerate(texts):
        content += json.dumps({"concept": number, "text": text}) + end
    path.write_bytes(content.encode(encoding))


def parquet(path, texts, encoding, end):
    pd.DataFrame({"concept": range(len(texts)), "text": texts}).to_parquet(path)


def of_source(path):
    return [document.text for document in records(Files, path, "en")]


def of_command(path):
    return [row.text for row in cli_texts.read([], [str(path)], "en", cli_texts.Columns())]


def of_fit(path):
    texts, concepts = cli_texts.of_languages([f"en={path}"], cli_texts.Columns())
    return list(documents(texts, concepts)["en"].values())


def of_parallel(path):
    return aligned.read({"en": Place(str(path))}, 99)["en"].tolist()


def of_judged(path):
    return [text for _, text in judged.documents(path)]


def of_labels(path):
    return [text for _, text, _ in rows.labelled(path, "concept", "concept", "text")]


def of_dictionary(path):
    return [translation for _, translation in dictionaries.entries(path)]


TABLES = {
    "a.csv": table(","),
    "b.csv": table(";"),
    "a.tsv": table("\t", csv.QUOTE_ALL),
    "b.tsv": table("\t"),
    "a.jsonl": objects,
    "a.parquet": parquet,
}
READERS = []  # the name of a file, what writes it, what reads it
for file, writer in TABLES.items():
    READERS += [(file, writer, of_source), (file, writer, of_command)]
for file in ("a.csv", "a.jsonl"):
    READERS += [(file, TABLES[file], of_fit), (file, TABLES[file], of_labels)]
for reader in (of_command, of_fit):
    READERS += [("a.txt", lines(), reader), ("a.txt", lines("x-{}\t"), reader)]
READERS += [("a.txt", lines(), of_parallel), ("a.txt", lines("x-{}\t"), of_judged)]
READERS += [("a.txt", lines("x{}\t"), of_dictionary), ("a.jsonl", objects, of_judged)]


def words_of(texts):
    """The words of each text that has some."""
    words = [re.findall(r"[^\W_]+", text) for text in texts]
    return [of_text for of_text in words if of_text]


def read_and_told(read, path):
    """Return what is read and what is said of it."""
    messages = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())
    logging.getLogger("cr5").addHandler(handler)
    try:
        return read(path), "\n".join(messages)
    finally:
        logging.getLogger("cr5").removeHandler(handler)


@pytest.mark.parametrize(("name", "write", "read"), READERS)
def test_each_text_comes_out_or_is_told_or_its_file_is_refused(tmp_path, name, write, read):
    path = tmp_path / name
    text = st.lists(st.sampled_from([*PIECES, "\n"]), max_size=5).map("".join)

    @settings(
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=50,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        st.lists(text, min_size=1, max_size=4),
        st.one_of(st.just("utf-8"), st.sampled_from(ENCODINGS)),
        st.sampled_from(["\n", "\r\n", "\r"]),
    )
    def nothing_is_lost(texts, encoding, end):
        try:
            write(path, texts, encoding, end)
        except (UnicodeEncodeError, csv.Error):  # what cannot be written so
            return
        try:
            texts_read, told = read_and_told(read, path)
        except UserError as error:
            assert str(tmp_path) in str(error)
            return
        if DOUBTS.search(told):
            return
        n_told = sum(int(number) for number in COUNTED.findall(told))
        filled = [text for text in texts_read if text.strip()]
        n_empty = len(texts_read) - len(filled)  # some keep empty texts, as alignments do
        assert len(filled) + max(n_told, n_empty) == len(texts), told
        assert words_of(texts_read) == words_of(texts)
        compared.append(texts)

    compared = []
    nothing_is_lost()
    assert len(compared) > 5
