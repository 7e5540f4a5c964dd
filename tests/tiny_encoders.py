"""Encoders of a few words in folders, as other libraries write them."""

import json

import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace


def tokenizer_of(words):
    """Token 0 stands for other words, token 1 is padding."""
    numbers = {word: i for i, word in enumerate(["[UNK]", "[PAD]", *words])}
    tokenizer = Tokenizer(WordLevel(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


def write_static(folder, vectors):
    """A static encoder: the mean of the vectors of a text's words, by word."""
    table = np.array([*np.zeros((2, len(next(iter(vectors.values()))))), *vectors.values()])
    model = StaticModel(table.astype(np.float32), tokenizer_of(vectors), normalize=False)
    model.save_pretrained(str(folder))


def write_onnx(folder, vectors):
    """An ONNX model whose states are the vectors of a text's words."""
    folder.mkdir(parents=True)
    table = np.array([*np.zeros((2, len(next(iter(vectors.values()))))), *vectors.values()])
    (folder / "model.onnx").write_bytes(_look_up(table.astype("<f4")))
    tokenizer = tokenizer_of(vectors)
    tokenizer.enable_padding(pad_id=1, pad_token="[PAD]")
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({}))


def write_sentence_transformers(folder, vectors):
    """The mean of the vectors of a text's words, in modules of sentence-transformers."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    tokenizer = modules.tokenizer.WhitespaceTokenizer(vectors, stop_words=[])
    table = np.array(list(vectors.values()), np.float32)
    words = modules.WordEmbeddings(tokenizer, table)
    pooling = modules.Pooling(table.shape[1], "mean")
    SentenceTransformer(modules=[words, pooling], device="cpu").save(str(folder))


def _look_up(table):
    """Protocol buffers of: last_hidden_state = table[input_ids]; numbers as in onnx.proto."""
    weights = _field(1, table.shape[0]) + _field(1, table.shape[1]) + _field(2, 1)
    weights += _field(8, b"table") + _field(9, table.tobytes())
    node = _field(1, b"table") + _field(1, b"input_ids") + _field(2, b"last_hidden_state")
    graph = _field(1, node + _field(4, b"Gather")) + _field(2, b"tiny") + _field(5, weights)
    graph += _field(11, _value(b"input_ids", 7, [b"texts", b"tokens"]))
    graph += _field(12, _value(b"last_hidden_state", 1, [b"texts", b"tokens", b"r"]))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 17))


def _value(name, kind, sizes):
    shape = b"".join(_field(1, _field(2, size)) for size in sizes)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def _field(number, value):
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value):
    found = b""
    while value > 127:
        found, value = found + bytes([value & 127 | 128]), value >> 7
    return found + bytes([value])
