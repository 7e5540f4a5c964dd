"""What can be set of adversarial training."""

from cr5.base.options import settings_class

# The values of Conneau et al. 2018 (section 3.1 and the authors' code).
OPTIONS = {
    "epochs": (5, {"ge": 1}, "after each the criterion is computed and the rate changed"),
    "samples": (1_000_000, {"ge": 1}, "words drawn from each language per epoch"),
    "batch": (32, {"ge": 1}, "words of each language per step"),
    "frequent_words": (75_000, {"ge": 1}, "most frequent words that batches are drawn from"),
    "hidden": (2048, {"ge": 1}, "width of both hidden layers of the discriminator"),
    "input_dropout": (0.1, {"ge": 0, "lt": 1}, "of the discriminator"),
    "leak": (0.2, {"ge": 0, "le": 1}, "slope of its LeakyReLU below zero"),
    "smoothing": (0.1, {"ge": 0, "lt": 0.5}, "its targets are 1 - smoothing and smoothing"),
    "discriminator_steps": (5, {"ge": 1}, "per step of the mapping"),
    "rate": (0.1, {"gt": 0}, "learning rate of both players at the start"),
    "rate_decay": (0.98, {"gt": 0, "le": 1}, "factor on the mapping's rate after each epoch"),
    "rate_shrink": (
        0.5,
        {"gt": 0, "le": 1},
        "further factor from the second time on that the criterion is below its best",
    ),
    "orthogonality": (0.001, {"ge": 0, "le": 1}, "beta of eq. 7"),
    # W does not depend on it in principle, the size of the gradients does.
    "scale": (1.0, {"gt": 0}, "length of the vectors while training"),
}
AdversarialSettings = settings_class("AdversarialSettings", OPTIONS)
