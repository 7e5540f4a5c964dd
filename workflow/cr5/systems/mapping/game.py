"""What can be set of adversarial training."""

from dataclasses import dataclass


@dataclass(frozen=True)
class AdversarialSettings:
    """Defaults are the values of Conneau et al. 2018 (section 3.1 and the authors' code).

    Attributes:
        epochs: the criterion is computed and the learning rate changed after each.
        samples: drawn from each language per epoch, `batch` per step of the mapping.
        batch: words of each language per step.
        frequent_words: batches are drawn from that many most frequent words.
        hidden: width of both hidden layers of the discriminator.
        input_dropout: of the discriminator.
        leak: slope of its LeakyReLU below zero.
        smoothing: its targets are 1 - smoothing and smoothing.
        discriminator_steps: per step of the mapping.
        rate: learning rate of both players at the start.
        rate_decay: factor on the mapping's rate after each epoch.
        rate_shrink: further factor from the second time on that the criterion is below its best.
        orthogonality: beta of eq. 7.
        scale: length of the vectors while training; W does not depend on it in principle, the
            size of the gradients does.
    """

    epochs: int = 5
    samples: int = 1_000_000
    batch: int = 32
    frequent_words: int = 75_000
    hidden: int = 2048
    input_dropout: float = 0.1
    leak: float = 0.2
    smoothing: float = 0.1
    discriminator_steps: int = 5
    rate: float = 0.1
    rate_decay: float = 0.98
    rate_shrink: float = 0.5
    orthogonality: float = 0.001
    scale: float = 1.0
