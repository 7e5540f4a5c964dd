"""A sentence encoder of a few words in a folder, as its library writes it."""

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
