"""A transformer of two layers with drawn weights: as a file of ONNX, and in NumPy.

The file is written byte by byte, as protobuf has it, so that no package is needed that knows ONNX.
"""

import json
from dataclasses import dataclass

import numpy as np
from tokenizers.processors import TemplateProcessing

from tests.tiny_encoders import tokenizer_of

WIDTH = 8
N_LAYERS = 2
FAR = 1e4  # subtracted from scores of tokens that do not count
WORDS = [f"w{number}" for number in range(20)]
FLOAT, INT64 = 1, 7  # kinds of tensors
OF_FLOAT, OF_INT, OF_INTS = 1, 2, 7  # kinds of attributes


def varint(number):
    found = b""
    number &= 2**64 - 1
    while number > 127:
        found += bytes([number & 127 | 128])
        number >>= 7
    return found + bytes([number])


def field(number, value):
    """A field of a message: a number, or text, bytes and other messages with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + np.float32(value).tobytes()
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def tensor(name, values):
    kind = INT64 if values.dtype.kind == "i" else FLOAT
    data = values.astype(np.int64 if kind == INT64 else np.float32).tobytes()
    dimensions = b"".join(field(1, int(size)) for size in values.shape)
    return dimensions + field(2, kind) + field(8, name) + field(9, data)


def attribute(name, value):
    if isinstance(value, float):
        return field(1, name) + field(2, value) + field(20, OF_FLOAT)
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, OF_INT)
    numbers = b"".join(field(8, number) for number in value)
    return field(1, name) + numbers + field(20, OF_INTS)


def value_info(name, kind, sizes):
    dimensions = b"".join(field(1, field(2, size)) for size in sizes)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dimensions)))


class Graph:
    """Nodes and constants, in the order in which they are added."""

    def __init__(self):
        self.content = b""
        self.n_nodes = 0

    def constant(self, values):
        self.n_nodes += 1
        name = f"constant{self.n_nodes}"
        self.content += field(5, tensor(name, np.asarray(values)))
        return name

    def node(self, kind, *inputs, name="", **attributes):
        self.n_nodes += 1
        output = name or f"node{self.n_nodes}"
        content = b"".join(field(1, each) for each in inputs) + field(2, output) + field(4, kind)
        for key, value in attributes.items():
            content += field(5, attribute(key, value))
        self.content += field(1, content)
        return output

    def model(self, inputs, output):
        content = self.content + field(2, "drawn")
        for name in inputs:
            content += field(11, value_info(name, INT64, ["texts", "tokens"]))
        content += field(12, value_info(output, FLOAT, ["texts", "tokens", "width"]))
        return field(1, 8) + field(8, field(1, "") + field(2, 17)) + field(7, content)


@dataclass(frozen=True)
class Transformer:
    """Drawn weights: of tokens and kinds, and of each layer by name."""

    tokens: np.ndarray
    kinds: np.ndarray
    layers: list[dict[str, np.ndarray]]

    @classmethod
    def drawn(cls, n_tokens):
        normal = np.random.default_rng(0).normal
        shapes = dict.fromkeys(("query", "key", "value", "output"), (WIDTH, WIDTH))
        shapes |= {"in": (WIDTH, 2 * WIDTH), "out": (2 * WIDTH, WIDTH)}
        layers = [
            {name: normal(size=shape) for name, shape in shapes.items()} for _ in range(N_LAYERS)
        ]
        return cls(normal(size=(n_tokens, WIDTH)), normal(size=(2, WIDTH)), layers)

    def rows(self, numbers):
        """The rows of a window's tokens, in NumPy."""
        x = self.tokens[numbers] + self.kinds[0]
        for layer in self.layers:
            query = x @ layer["query"]
            key = x @ layer["key"]
            value = x @ layer["value"]
            scores = query @ key.T / np.sqrt(WIDTH)
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            x = normalised(x + shares @ value @ layer["output"])
            hidden = np.maximum(x @ layer["in"], 0)
            x = normalised(x + hidden @ layer["out"])
        return x

    def onnx(self):
        """The same as a file."""
        graph = Graph()
        tokens = graph.constant(self.tokens)
        kinds = graph.constant(self.kinds)
        of_tokens = graph.node("Gather", tokens, "input_ids")
        of_kinds = graph.node("Gather", kinds, "token_type_ids")
        x = graph.node("Add", of_tokens, of_kinds)
        mask = graph.node("Cast", "attention_mask", to=FLOAT)
        axis = graph.constant([1])
        one = graph.constant([1.0])
        far = graph.constant([FAR])
        mask = graph.node("Unsqueeze", mask, axis)
        missing = graph.node("Sub", mask, one)
        barred = graph.node("Mul", missing, far)
        scale = graph.constant([1 / np.sqrt(WIDTH)])
        for number, layer in enumerate(self.layers):
            name = "last_hidden_state" if number == N_LAYERS - 1 else ""
            weights = {key: graph.constant(values) for key, values in layer.items()}
            query = graph.node("MatMul", x, weights["query"])
            key = graph.node("MatMul", x, weights["key"])
            value = graph.node("MatMul", x, weights["value"])
            turned = graph.node("Transpose", key, perm=[0, 2, 1])
            scores = graph.node("MatMul", query, turned)
            scaled = graph.node("Mul", scores, scale)
            scores = graph.node("Add", scaled, barred)
            shares = graph.node("Softmax", scores, axis=-1)
            mixed = graph.node("MatMul", shares, value)
            attended = graph.node("MatMul", mixed, weights["output"])
            x = graph.node("Add", x, attended)
            x = norm_of(graph, x)
            inner = graph.node("MatMul", x, weights["in"])
            hidden = graph.node("Relu", inner)
            outer = graph.node("MatMul", hidden, weights["out"])
            x = graph.node("Add", x, outer)
            x = norm_of(graph, x, name)
        return graph.model(["input_ids", "attention_mask", "token_type_ids"], x)


def norm_of(graph, x, name=""):
    ones = graph.constant(np.ones(WIDTH))
    zeros = graph.constant(np.zeros(WIDTH))
    return graph.node("LayerNormalization", x, ones, zeros, axis=-1, epsilon=1e-5, name=name)


def normalised(x):
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)


def write_transformer(folder, pooling, longest, has_unit_rows=True, prompts=None):
    """A folder as sentence-transformers exports it; returns the weights, and tokens by number."""
    tokenizer = tokenizer_of(["[CLS]", "[SEP]", *WORDS])
    numbers = tokenizer.get_vocab()
    ends = [(token, numbers[token]) for token in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = TemplateProcessing("[CLS] $A [SEP]", special_tokens=ends)
    transformer = Transformer.drawn(len(numbers))
    for place in ("onnx", "1_Pooling"):
        (folder / place).mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "onnx" / "model.onnx").write_bytes(transformer.onnx())
    kinds = {"": "Transformer", "1_Pooling": "Pooling"}
    if has_unit_rows:
        kinds["2_Normalize"] = "Normalize"
    modules = [
        {"path": path, "type": f"sentence_transformers.models.{kind}"}
        for path, kind in kinds.items()
    ]
    files = {
        "modules": modules,
        "config": {"model_type": "bert", "max_position_embeddings": 512},
        "sentence_bert_config": {"max_seq_length": longest},
        "1_Pooling/config": {f"pooling_mode_{pooling}_token{'s' * (pooling != 'cls')}": True},
        "config_sentence_transformers": {"prompts": prompts or {}},
    }
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return transformer, numbers
