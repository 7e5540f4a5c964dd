"""What only sentence-transformers reads, where it is installed: a transformer of drawn weights."""

import numpy as np
import pytest

from cr5.models.encoders.opening import checksum, opened
from cr5.models.encoders.sentence_transformers import SentenceTransformersEncoder
from tests.tiny_encoders import tokenizer_of

LONGEST = 16  # tokens, of which two are the ends of a window
WORDS = [f"w{number}" for number in range(50)]
TEXTS = ["w3", "w4 w5 w6 w7", " ".join(WORDS[:13])]
WINDOWS = [" ".join(WORDS[start : start + LONGEST - 2]) for start in range(0, 50, LONGEST - 2)]


@pytest.fixture(params=["mean", "cls"])
def library(request, tmp_path):
    """The library's own encoder, which it has written to a folder."""
    reason = "sentence-transformers, which brings PyTorch, is not installed"
    sentence_transformers = pytest.importorskip("sentence_transformers", reason=reason)
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    modules = pytest.importorskip("sentence_transformers.models")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS) + 4,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(tmp_path / "bert")
    _tokenizer(transformers).save_pretrained(tmp_path / "bert")
    transformer = modules.Transformer(str(tmp_path / "bert"), max_seq_length=LONGEST)
    pooling = modules.Pooling(32, pooling_mode=request.param)
    encoder = sentence_transformers.SentenceTransformer(
        modules=[transformer, pooling, modules.Normalize()], device="cpu"
    )
    encoder.prompts = {"query": "w1 ", "document": "w2 "}
    encoder.save(str(tmp_path / "encoder"))
    return encoder


def _tokenizer(transformers):
    from tokenizers.processors import TemplateProcessing

    tokenizer = tokenizer_of(["[CLS]", "[SEP]", *WORDS])
    ends = [(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = TemplateProcessing("[CLS] $A [SEP]", special_tokens=ends)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=LONGEST,
    )


@pytest.mark.filterwarnings("ignore")
def test_rows_are_the_librarys_own_and_windows_are_averaged(library, tmp_path):
    place = str(tmp_path / "encoder")
    encoder = opened(place, checksum(place))
    assert isinstance(encoder, SentenceTransformersEncoder)
    assert (encoder.query_prefix, encoder.document_prefix) == ("w1 ", "w2 ")
    rows = encoder.encode([*TEXTS, " ".join(WORDS)], "")
    np.testing.assert_allclose(rows[:3], library.encode(TEXTS, prompt=""), atol=1e-5)
    lengths = [len(window.split()) for window in WINDOWS]
    mean = np.average(library.encode(WINDOWS, prompt=""), axis=0, weights=lengths)
    np.testing.assert_allclose(rows[3], mean, atol=1e-5)
