"""As much of sentence-transformers, which brings PyTorch, as tests need: static encoders."""

from model2vec import StaticModel

__version__ = "0"


class SentenceTransformer:
    def __init__(self, path, device, local_files_only):
        assert (device, local_files_only) == ("cpu", True)
        self.model = StaticModel.from_pretrained(path)

    def encode(self, texts, batch_size, show_progress_bar):
        assert not show_progress_bar
        return self.model.encode(list(texts), use_multiprocessing=False)
