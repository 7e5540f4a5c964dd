"""The same rows from every format; what is none of them is refused."""

import gettext
import gzip
import json
import struct

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cr5.base.errors import UserError
from cr5.corpora.formats.rows import rows

ROWS = [{"concept": "a", "text": "Én, to\n3"}, {"concept": "b", "text": 'said "no"'}]
FRAME = pd.DataFrame(ROWS)
TABLE = pa.Table.from_pandas(FRAME, preserve_index=False)
NAMES = ("concept", "text")


def lines(path):
    path.write_text("".join(json.dumps(x) + "\n" for x in ROWS))


def stream(path, table=TABLE):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)


def arrow_file(path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, TABLE.schema) as writer:
        writer.write_table(TABLE)


def dataset(path):
    """As `Dataset.save_to_disk` of Hugging Face's `datasets` writes it, in two shards."""
    path.mkdir()
    names = [f"data-0000{i}-of-00002.arrow" for i in range(2)]
    for i, name in enumerate(names):
        stream(path / name, TABLE.slice(i, 1))
    state = {"_data_files": [{"filename": x} for x in names], "_format_type": None}
    (path / "state.json").write_text(json.dumps(state))
    (path / "dataset_info.json").write_text("{}")


def texts(path):
    for row in ROWS:
        (path / "deep").mkdir(parents=True, exist_ok=True)
        name = row["concept"] + ".txt" if row["concept"] == "a" else "b.txt.gz"
        pack = gzip.compress if name.endswith("gz") else bytes
        (path / name).write_bytes(pack(row["text"].encode()))


FORMATS = {
    "a.jsonl": lines,
    "a": lines,
    "a.csv": lambda path: FRAME.to_csv(path, index=False),
    "index.csv": lambda path: FRAME.to_csv(path),
    "a.tsv": lambda path: FRAME.to_csv(path, index=False, sep="\t"),
    "b": lambda path: FRAME.to_csv(path, index=False, sep="\t"),
    "a.csv.gz": lambda path: FRAME.to_csv(path, index=False),
    "a.csv.xz": lambda path: FRAME.to_csv(path, index=False),
    "a.parquet": lambda path: pq.write_table(TABLE, path),
    "c": lambda path: pq.write_table(TABLE, path),
    "a.arrow": stream,
    "b.arrow": arrow_file,
    "dataset": dataset,
    "texts": texts,
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_rows(tmp_path, name):
    FORMATS[name](tmp_path / name)
    found = list(rows(tmp_path / name, NAMES))
    assert [{x: row.fields[x] for x in NAMES} for row in found] == ROWS
    assert all(row.where.startswith(str(tmp_path / name)) for row in found)


@pytest.mark.parametrize(
    "state",
    ["[]", "{", '{"_data_files": [{"filename": "../../x.arrow"}]}', '{"_data_files": 3}'],
)
def test_a_dataset_that_names_files_elsewhere(tmp_path, state):
    dataset(tmp_path / "a")
    (tmp_path / "a" / "state.json").write_text(state)
    with pytest.raises(UserError, match=r"state\.json: "):
        list(rows(tmp_path / "a", NAMES))


def test_only_wanted_columns_of_a_table_are_read(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(TABLE, path)
    assert [row.fields for row in rows(path, ["text", "more"])] == [
        {"text": x["text"]} for x in ROWS
    ]
    with pytest.raises(UserError, match="none of the wanted columns; it has concept, text"):
        list(rows(path, ["more"]))


TMX = """<?xml version="1.0"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en"/><body>
 <tu tuid="x"><tuv xml:lang="en-US"><seg>A <bpt i="1">&lt;b&gt;</bpt>red<ept i="1">
  &lt;/b&gt;</ept> <hi>house</hi></seg></tuv><tuv xml:lang="pt-BR"><seg>Uma casa</seg></tuv></tu>
 <!-- none --><tu><tuv lang="da"><seg>To</seg></tuv><tuv xml:lang="en"><seg/></tuv></tu>
</body></tmx>"""


@pytest.mark.parametrize("name", ["a.tmx", "a"])
def test_translation_memories(tmp_path, name):
    (tmp_path / name).write_text(TMX)
    first, second = (row.fields for row in rows(tmp_path / name, ()))
    english, portuguese = "A red house", "Uma casa"
    assert first == {
        "concept": "x",
        **dict.fromkeys(("text_en", "text_en_us"), english),
        **dict.fromkeys(("text_pt", "text_pt_br"), portuguese),
    }
    assert second == {"concept": "2", "text_da": "To", "text_en": ""}


def test_entities_of_a_memory_are_not_expanded(tmp_path):
    bomb = '<!DOCTYPE tmx [<!ENTITY a "boo"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
    unit = "<tu><tuv xml:lang='en'><seg>x&a;&b;</seg></tuv></tu>"
    (tmp_path / "a.tmx").write_text(f"{bomb}<tmx><body>{unit}</body></tmx>")
    assert [row.fields["text_en"] for row in rows(tmp_path / "a.tmx", ())] == ["x"]


PO = r"""# Danish
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Language: da_DK\n"

#: a.c:3
msgid "Open \"%s\"\n"
msgstr "Åbn "
"\"%s\"\n"

#, c-format, fuzzy
msgid "Close"
msgstr "Luk?"

msgctxt "menu"
msgid "Close"
msgstr "Luk"

msgid "one file"
msgid_plural "%d files"
msgstr[0] "en fil"
msgstr[1] "%d filer"

msgid "Not yet"
msgstr ""

#~ msgid "Old"
#~ msgstr "Gammel"
"""
MESSAGES = [  # context, original, translation
    ("", 'Open "%s"\n', 'Åbn "%s"\n'),
    ("menu", "Close", "Luk"),
    ("", "one file", "en fil"),
]


def binary(order):
    """The messages as msgfmt writes them, after the header; by the format's description."""
    header = ("", "Content-Type: text/plain; charset=UTF-8\nLanguage: da_DK\n")
    pairs = [(f"{c}\x04{o}" if c else o, t) for c, o, t in MESSAGES]
    pairs = sorted([header, *((o + "\0%d files" * (o == "one file"), t) for o, t in pairs)])
    n, places, data = len(pairs), [], b""
    for side in (0, 1):
        for pair in pairs:
            text = pair[side].encode()
            places += [len(text), 28 + 16 * n + len(data)]
            data += text + b"\0"
    head = struct.pack(f"{order}7I", 0x950412DE, 0, n, 28, 28 + 8 * n, 0, 0)
    return head + struct.pack(f"{order}{len(places)}I", *places) + data


def by_original(path):
    return {row.fields["title"]: row.fields for row in rows(path, ())}


@pytest.mark.parametrize("order", ["<", ">"])
def test_catalogues_for_people_and_for_programs_have_the_same_rows(tmp_path, order):
    (tmp_path / "a.po").write_text(PO)
    (tmp_path / "a.mo").write_bytes(binary(order))
    with (tmp_path / "a.mo").open("rb") as file:  # that it is one
        assert gettext.GNUTranslations(file).pgettext("menu", "Close") == "Luk"
    found = by_original(tmp_path / "a.po")
    untranslated = found.pop("Not yet")
    assert found == by_original(tmp_path / "a.mo")
    assert {row["text_en"]: row["text_da"] for row in found.values()} == {
        original: translation for _, original, translation in MESSAGES
    }
    assert (untranslated["text_en"], "text_da" in untranslated) == ("Not yet", False)
    assert len({row["concept"] for row in found.values()}) == 3


def test_the_header_of_a_catalogue_names_the_languages(tmp_path):
    (tmp_path / "a.po").write_text(PO.replace('"Language: da_DK\\n"', '"X-Source-Language: nb\\n"'))
    assert by_original(tmp_path / "a.po")["Close"].keys() == {"concept", "title", "text_nb", "text"}
