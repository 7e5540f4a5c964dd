"""A run's crate, against what RO-Crate 1.1 and Process Run Crate 0.5 demand.

Real ones have passed rocrate-validator 0.13, which needs a network, for both without a violation.
"""

import hashlib
import json
from datetime import datetime

import pytest

from cr5.plan import manifest, ro_crate

MADE = {"bags/da/counts": "1", "bags/da/æ b.txt": "2", "table.csv": "3,4"}


@pytest.fixture
def graph(tmp_path, monkeypatch):
    """Write a run of two jobs and its crate; give its entities by identifier."""
    monkeypatch.chdir(tmp_path)
    for path, text in {
        "data/da.txt": "hund",
        **{f"results/x/{x}": y for x, y in MADE.items()},
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    jobs = [("bags", "data/da.txt", "bags/da"), ("table", "results/x/bags/da", "table.csv")]
    made = [
        {"rule": a, "wildcards": {}, "network": False, "inputs": [b], "outputs": [f"results/x/{c}"]}
        for a, b, c in jobs
    ]
    corpus = {"name": "x", "source": "wikipedia"}
    manifest.write("results/x", made, {"seed": 1, "corpus": corpus, "languages": ["da"]})
    found = json.loads(ro_crate.write("results/x").read_text(encoding="utf-8"))
    assert set(found) == {"@context", "@graph"}
    entities = {each["@id"]: each for each in found["@graph"]}
    assert len(entities) == len(found["@graph"])  # each identifier once
    return entities


def references(entity):
    for value in entity.values():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                assert set(each) == {"@id"}
                yield each["@id"]


def test_it_describes_itself_and_the_whole(graph):
    descriptor, root = graph["ro-crate-metadata.json"], graph["./"]
    assert descriptor["@type"] == "CreativeWork"
    assert descriptor["about"] == {"@id": "./"}
    assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    assert root["@type"] == "Dataset" and root["name"] and root["description"]
    assert datetime.fromisoformat(root["datePublished"]).tzinfo
    assert graph[root["license"]["@id"]]["name"] == "cc-by-sa-4.0"


def test_whatever_is_referred_to_is_described(graph):
    for entity in graph.values():
        assert {*references(entity)} <= {*graph, "https://w3id.org/ro/crate/1.1"}


def test_every_file_is_a_part_with_size_and_checksum(graph, tmp_path):
    files = {x: y for x, y in graph.items() if y["@type"] == "File"}
    assert {y["name"] for y in files.values()} == set(MADE)
    for each in files.values():
        assert each["contentSize"] == str(len(MADE[each["name"]]))
        assert each["sha256"] == hashlib.sha256(MADE[each["name"]].encode()).hexdigest()
    assert "bags/da/%C3%A6%20b.txt" in files
    assert files["table.csv"]["encodingFormat"] == "text/csv"
    assert graph["./"]["hasPart"] == [{"@id": "bags/da/"}, {"@id": "table.csv"}]
    parts = [x["@id"] for x in graph["bags/da/"]["hasPart"]]
    assert parts == ["bags/da/counts", "bags/da/%C3%A6%20b.txt"]


def test_every_job_says_what_it_read_and_made(graph):
    bags, table = (graph[x["@id"]] for x in graph["./"]["mentions"])
    assert [bags["@type"], bags["name"], table["name"]] == ["CreateAction", "bags", "table"]
    assert graph[bags["instrument"]["@id"]]["@type"] == "SoftwareApplication"
    assert graph[bags["object"]["@id"]]["name"] == "../../data/da.txt"
    assert bags["result"] == table["object"] == {"@id": "bags/da/"}
    assert table["result"] == {"@id": "table.csv"}
