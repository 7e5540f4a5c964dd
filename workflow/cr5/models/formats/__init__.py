"""Models in the formats of other programs, and in one file to share.

- `registry` knows all formats; `card` writes the README that goes with each
- of a file per language, with `vector_files` around them: `word2vec` (text, binary, and as Cr5's
  authors have it), `static` (model2vec)
- of the whole model: `tensors` (safetensors) and `packed`, which hold models of every kind
"""
