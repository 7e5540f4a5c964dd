"""What a card says of how to use an export: code that works."""

from collections.abc import Mapping
from typing import Any

from cr5.models.contract import Model
from cr5.models.formats import sidecar

CR5 = """With the package cr5, all of the model:

```python
import cr5
model = cr5.load("{place}")
vectors = model.embed(["a text", "another"], "{language}")
```"""
NOT_READ = """The package cr5 does not read these files, for they are pickles: for use with it,
export the model in another format."""
WEIGHTS = """

Weights of words are in `{name}_{language}.weights.tsv`, a line each: word, tab, weight, in the
order of the vectors. How counts, weights, vectors and norms make a document's vector is above, and
for programs in `cr5.json` (`settings`, `offsets`)."""
GENSIM = """

With gensim, {what}:

```python
from gensim.models import KeyedVectors
vectors = {load}
vectors[{word}]
```"""
STATIC = """

With model2vec, texts of one language a model; other than in most such models a text is not cut
off after some number of tokens (`max_length` is null):

```python
from model2vec import StaticModel
model = StaticModel.from_pretrained("{name}_{language}")
vectors = model.encode(["a text", "another"])
```

With sentence-transformers: `SentenceTransformer("{name}_{language}")`. Vectors there are those of
words times their weights, and a document's is their mean, brought to length one."""
TENSORS = """

With safetensors, the arrays: `tables.{language}` are the vectors, `weights.{language}` the
weights, `words.{language}` the words, as JSON in bytes; the metadata `cr5` describe the rest.

```python
import json
from safetensors.numpy import load_file
arrays = load_file("model.safetensors")
words = json.loads(arrays["words.{language}"].tobytes())
```"""
PACKED = """

It is a zip file: `model.json` describes the arrays, which are files of numpy, `about.json` says
what made them. Tables in float16 are to be multiplied by their `scale`."""
LOADS = {
    "word2vec": 'KeyedVectors.load_word2vec_format("{name}_{language}.vec")',
    "word2vec-binary": 'KeyedVectors.load_word2vec_format("{name}_{language}.bin", binary=True)',
    "keyedvectors": 'KeyedVectors.load("{name}_{language}.kv")',
    "released": 'KeyedVectors.load_word2vec_format("{name}_{language}.txt.gz", no_header=True)',
}


def of(kind: str, model: Model, about: Mapping[str, Any]) -> str:
    """Say how to use an export of this format."""
    language, words = next(iter(model.words.items()))
    name = sidecar.name_of(about)
    place = f"{name}.cr5" if kind == "packed" else "FOLDER"
    values = {"name": name, "language": language, "place": place, "word": repr(words[0])}
    ours = NOT_READ if kind == "keyedvectors" else CR5
    return ours.format(**values) + _others(kind, values)


def _others(kind: str, values: Mapping[str, str]) -> str:
    if kind in LOADS:
        load = LOADS[kind].format(**values)
        extra = "the vectors of words, without their weights"
        if kind == "keyedvectors":
            extra = 'the vectors of words; `get_vecattr(word, "weight")` is the weight of one'
        return GENSIM.format(what=extra, load=load, **values) + WEIGHTS.format(**values)
    if kind == "static":
        return STATIC.format(**values) + WEIGHTS.format(**values)
    return (TENSORS if kind == "safetensors" else PACKED).format(**values)
