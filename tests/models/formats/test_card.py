"""The code on a card."""

import ast
import re

import numpy as np
import pytest

from cr5.models.formats.card import card
from cr5.models.word_tables import WordTables


@pytest.mark.parametrize("word", ["cat", '"', "it's", "back\\slash", "{x}"])
def test_it_is_python_whatever_the_first_word_is(word):
    model = WordTables({"en": [word]}, {"en": np.ones((1, 2))}, {"en": np.ones(1)})
    blocks = re.findall(r"```python\n(.*?)```", card(model, {}, "word2vec"), re.DOTALL)
    last = ast.parse(blocks[-1]).body[-1].value
    assert ast.literal_eval(last.slice) == word
