"""Transformers in folders, against the same in NumPy."""

import json

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.models.encoders.onnx import pooled
from cr5.models.encoders.opening import checksum, opened
from cr5.models.encoders.settings import Settings
from tests.models.encoders.onnx_files import WORDS, write_transformer

LONGEST = 8  # tokens, of which two are the ends of a window
TEXTS = ["w1", "w3 w4 w5 w6", " ".join(WORDS), "w7 w8 w9 w10 w11 w12", "nothing known here"]
NO_RUNTIME = "onnxruntime is not installed: ./run encoders"


def by_hand(transformer, numbers, text, pooling):
    """The mean of the rows of a text's windows, weighted by their words."""
    tokens = [numbers.get(word, numbers["[UNK]"]) for word in text.split()]
    windows = [tokens[start : start + LONGEST - 2] for start in range(0, len(tokens), LONGEST - 2)]
    rows = []
    for window in windows:
        states = transformer.rows([numbers["[CLS]"], *window, numbers["[SEP]"]])
        rows.append(states[0] if pooling == "cls" else states.mean(axis=0))
    row = np.average(rows, axis=0, weights=[len(window) for window in windows])
    return row / np.linalg.norm(row)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_a_transformer_gives_the_rows_of_its_twin(tmp_path, pooling):
    pytest.importorskip("onnxruntime", reason=NO_RUNTIME)
    transformer, numbers = write_transformer(tmp_path / "encoder", pooling, LONGEST)
    place = str(tmp_path / "encoder")
    encoder = opened(place, checksum(place))
    rows = encoder.encode(TEXTS, "w2 ")
    expected = [by_hand(transformer, numbers, f"w2 {text}", pooling) for text in TEXTS]
    np.testing.assert_allclose(rows, expected, atol=2e-6)
    assert rows.dtype == np.float32
    assert np.std(expected, axis=0).min() > 0.02
    for number, text in enumerate(TEXTS):  # a text's bytes depend on no other
        assert encoder.encode([text], "w2 ").tobytes() == rows[number].tobytes()


def test_prefixes_are_those_of_the_folder(tmp_path):
    pytest.importorskip("onnxruntime", reason=NO_RUNTIME)
    prompts = {"query": "w5 ", "passage": "w6 "}
    write_transformer(tmp_path / "encoder", "mean", LONGEST, prompts=prompts)
    place = str(tmp_path / "encoder")
    encoder = opened(place, checksum(place))
    assert (encoder.query_prefix, encoder.document_prefix) == ("w5 ", "w6 ")


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [("mean", [2, 3, 4]), ("cls", [0, 5, 1]), ("max", [4, 5, 7]), ("lasttoken", [4, 1, 7])],
)
def test_rows_of_tokens_become_one(pooling, expected):
    rows = np.array([[0, 5, 1], [4, 1, 7]], np.float32)
    assert pooled(rows, pooling).tolist() == expected


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("1_Pooling/config", {"pooling_mode": "weightedmean"}, "found weightedmean"),
        (
            "1_Pooling/config",
            {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True},
            "found cls and max",
        ),
        ("1_Pooling/config", {"include_prompt": False}, "leaves out the prefix's tokens"),
        ("modules", [{"path": "2_Dense", "type": "models.Dense"}], "module Dense is not read"),
        ("modules", [{"path": "2_Dense"}], "not a list of modules"),
        ("config", [], "expected an object"),
    ],
)
def test_what_a_folder_says_and_is_not_read_is_named(tmp_path, file, content, said):
    folder = tmp_path / "encoder"
    write_transformer(folder, "mean", LONGEST)
    (folder / f"{file}.json").write_text(json.dumps(content))
    with pytest.raises(UserError, match=said) as error:
        Settings.read(folder)
    assert str(error.value).startswith(f"{folder}/{file}.json: ")


@pytest.mark.parametrize(
    ("sentence_bert", "tokenizer", "config", "expected"),
    [
        ({"max_seq_length": 128}, {"model_max_length": 256}, {}, 128),
        ({"max_seq_length": None}, {"model_max_length": 256}, {}, 256),
        ({}, {"model_max_length": 10**30}, {"max_position_embeddings": 300}, 300),
        ({}, {}, {}, 512),
    ],
)
def test_the_longest_window_is_the_first_that_is_said(
    tmp_path, sentence_bert, tokenizer, config, expected
):
    contents = {
        "sentence_bert_config": sentence_bert,
        "tokenizer_config": tokenizer,
        "config": config,
    }
    for name, content in contents.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    assert Settings.read(tmp_path).longest == expected
