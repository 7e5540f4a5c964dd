"""Chinese under three codes: a variant has the words of its language, a wrong code is told."""

import json

import pandas as pd
import pytest

SENTENCES = [
    "市图书馆每天上午九点开门，读者可以借阅书籍和报纸。",
    "火车经过一座古老的石桥，桥下的河水流得很慢。",
    "她在大学里学习数学，周末常常去河边散步。",
]


def test_a_variant_has_the_words_of_its_language_and_a_wrong_code_is_told(new_run):
    pytest.importorskip("icu4py")
    run = new_run(
        corpus={"name": 2024, "source": "jsonl", "path": "corpus/{language}.jsonl"},
        languages=["zh", "zh_cn", "jp"],
        bags={"unique_words": [1, 1000], "min_documents": 1},
        systems={"untranslated": {}},
        settings={"joint": {}},
    )
    for language in ("zh", "zh_cn", "jp"):
        entries = ({"concept": f"Q{i}", "text": text} for i, text in enumerate(SENTENCES))
        lines = (json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        # not the very same file, which would be refused
        content = "".join(lines) + ["zh", "zh_cn", "jp"].index(language) * "\n"
        (run.folder / "corpus" / f"{language}.jsonl").write_text(content, encoding="utf-8")
    bags = {x: f"results/2024/bags/{x}" for x in ("zh", "zh_cn", "jp")}
    told = run(*bags.values()).stdout
    words = {x: pd.read_parquet(run.folder / path / "words.parquet") for x, path in bags.items()}
    pd.testing.assert_frame_equal(words["zh_cn"], words["zh"])
    assert len(words["zh"]) > 2 * len(words["jp"])
    assert told.count("its words look wrong") == 1
    assert "Language 'jp': its words look wrong" in told
