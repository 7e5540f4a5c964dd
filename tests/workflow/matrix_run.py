"""A small run of several settings, repetitions and tasks; and the same in another order."""

import json
import lzma

LANGUAGES = ["cc", "aa", "bb"]
REPETITIONS = 2
NEAR = {"kind": "joint", "systems": ["cr5"], "tasks": ["documents", "lexicon_induction"]}
TWO = {"kind": "pairwise", "systems": ["cr5"], "tasks": ["documents", "mine"]}
MATRIX = {
    "languages": LANGUAGES,
    "systems": {
        "cr5": {"rank": 10, "ridges": [0.1, 1.0], "term_frequency": "log"},
        "word_by_word": {"weighting": "corpus"},
    },
    "alignments": {"path": "given/{source}-{target}.tsv"},
    "settings": {
        "joint": {},
        "near": {**NEAR, "languages": ["bb", "aa"]},
        "two_by_two": {**TWO, "pairs": [["cc", "aa"], "bb-aa"]},
    },
    "repetitions": REPETITIONS,
    "evaluation": {"metrics": {"lines": ["RR", "R@3"]}},
    "tasks": {
        "documents": {},
        "mine": {
            "module": "ad_hoc",
            "documents": "given/{language}.jsonl",
            "queries": "given/{language}.tsv",
            "qrels": "given/qrels.txt",
        },
        "lexicon_induction": {"dictionaries": "given/{source}-{target}.dict", "offset": 1},
        "lines": {"module": "sentences", "path": "given/{language}.lines", "queries": 20},
    },
}
PAIR = ("aa", "bb")
NUMBERS = [6, 40]
ALONE = {"systems": ["cr5"], "tasks": ["documents"]}
TURNED = {
    "repetitions": 1,
    "languages": LANGUAGES[::-1],
    "settings": {
        "joint": {},
        "near": {**NEAR, "languages": ["aa", "bb"]},
        "two_by_two": {**TWO, "pairs": ["aa-bb", "aa-cc"]},
        "low_resource": {**ALONE, "pairs": ["bb-aa"], "concepts": NUMBERS},
        "transitive": {**ALONE, "pairs": ["aa-bb"], "via": ["cc"], "shared": "split"},
        # all but a few concepts are in all languages: none is left
        "dropped": {**ALONE, "kind": "transitive", "pairs": ["aa-bb"], "via": ["cc"]},
    },
}


def give(folder):
    """Translation tables of words that differ in their first letter, and a small ad hoc task."""
    given = folder / "given"
    given.mkdir()
    for language in LANGUAGES:
        lines = lzma.decompress((folder / "corpus" / f"{language}.jsonl.xz").read_bytes())
        entries = [json.loads(line) for line in lines.decode().splitlines()][:60]
        documents = [{"id": x["concept"], "text": x["text"]} for x in entries]
        (given / f"{language}.jsonl").write_text("\n".join(map(json.dumps, documents)))
        queries = [f"{x['concept']}\t{' '.join(x['text'].split()[:60])}" for x in entries[:15]]
        (given / f"{language}.tsv").write_text("\n".join(queries))
        lines = {x["concept"]: " ".join(x["text"].split()[:40]) for x in entries}
        aligned = "\n".join(lines.get(f"Q{number}", "") for number in range(60))
        (given / f"{language}.lines").write_text(f"{aligned}\nthe end")
        words = {word for x in entries for word in x["text"].split() if word[0] != "x"}
        for other in set(LANGUAGES) - {language}:
            rows = (f"{word}\t{other[0]}{word[1:]}\t1.0" for word in sorted(words))
            (given / f"{language}-{other}.tsv").write_text("\n".join(rows))
        give_dictionaries(given, language, sorted(words))
    numbers = range(60)
    judged = [f"Q{i} 0 Q{i} 2\nQ{i} 0 Q{(i + 1) % 60} 1\nQ{i} 0 Q{(i + 2) % 60} 0" for i in numbers]
    (given / "qrels.txt").write_text("\n".join(judged))


def give_dictionaries(given, language, words):
    """From each language to the next ones of the alphabet, with what no bag can have."""
    for other in (x for x in LANGUAGES if x > language):
        lines = [f"{word} {other[0]}{word[1:]}\n" for word in words]
        (given / f"{language}-{other}.dict").write_text("".join([*lines, "x z\ty\n", "zz zz\n"]))
