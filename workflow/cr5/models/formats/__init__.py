"""Models in formats of other programs, and as one file to share.

- `registry` knows all formats; `card` writes the README that goes with each
- for other programs: `word2vec` (text), `static` (model2vec)
- the whole model: `tensors` (safetensors) and `packed`, which hold models of every kind
"""
