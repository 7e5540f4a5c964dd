"""A sentence encoder of a few words in a folder, as its library writes it."""

import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace


def tokenizer_of(words):
    """Token 0 stands for other words, token 1 is padding."""
    tokens = ["[UNK]", "[PAD]", *words]
    numbers = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(WordLevel(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


def write_static(folder, vectors):
    """A static encoder: the mean of the vectors of a text's words, by word."""
    rows = np.array(list(vectors.values()))
    rows_of_special_tokens = np.zeros((2, rows.shape[1]))
    table = np.vstack([rows_of_special_tokens, rows])
    model = StaticModel(table.astype(np.float32), tokenizer_of(vectors), normalize=False)
    model.save_pretrained(str(folder))
