"""Descriptions of packages, from a folder, through the workflow."""

import json
import lzma
import zlib

import pandas as pd
import pytest

pytestmark = pytest.mark.slow

LANGUAGES = {"da": "aa", "en": "bb", "it": "cc"}  # and whose words they have here


def write_descriptions(run, language, made_up):
    """Five sentences each, of a made-up language; every third one has one left in English."""
    lines = lzma.decompress((run.folder / "corpus" / f"{made_up}.jsonl.xz").read_bytes())
    text = ""
    for entry in map(json.loads, lines.decode().splitlines()):
        number = zlib.crc32(entry["concept"].encode()) % 1000
        words = entry["text"].split()
        texts = [" ".join(words[k : k + 25]).capitalize() + "." for k in range(0, 125, 25)]
        if number % 3 == 0:
            texts[2] = f"Left in English as q{'abcdefghij'[number % 10]} is."
        text += f"Package: package-{number:03}\nDescription-md5: {entry['concept']}\n"
        text += f"Description-{language}: made up\n" + "".join(f" {x}\n .\n" for x in texts) + "\n"
    (run.folder / "lists").mkdir(exist_ok=True)
    (run.folder / "lists" / f"Translation-{language}").write_text(text)


def test_descriptions_are_put_apart_and_searched(new_run):
    run = new_run(
        corpus={"name": "tiny", "source": "debian_descriptions", "path": "lists"},
        languages=list(LANGUAGES),
        systems={"cr5": {"rank": 10, "ridges": [1.0]}},
        settings={"joint": {}},
    )
    for language, made_up in LANGUAGES.items():
        write_descriptions(run, language, made_up)
    run("results/tiny/tables/scores.csv")
    texts = {}
    for language in LANGUAGES:
        documents = pd.read_parquet(run.results / "documents" / f"{language}.parquet")
        assert documents["title"].str.fullmatch(r"package-\d+: made up").all()
        texts[language] = set("\n".join(documents["text"]).split("\n"))
        notes = json.loads((run.results / "documents" / f"{language}.json").read_text())
        [file] = notes["files"]
        assert file["name"] == f"Translation-{language}"
        assert notes["paragraphs"]["kept"] == len("\n".join(documents["text"]).split("\n"))
    assert not any("Left in English" in x for name in ("da", "it") for x in texts[name])
    assert any("Left in English" in x for x in texts["en"])
    scores = pd.read_csv(run.results / "tables" / "scores.csv")
    assert set(scores["query"]) >= set(LANGUAGES)
    found = scores.loc[scores["metric"] == "RR", "value"]
    assert found.mean() > 0.2
