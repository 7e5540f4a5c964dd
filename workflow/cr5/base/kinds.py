"""The kinds of artefacts that jobs hand on, and which version of its form each has.

Count a format up when this code could not read what an earlier one wrote.
"""

from cr5.base.labels import Kind

DOCUMENTS = Kind("documents")
PARAGRAPHS = Kind("paragraphs")
CONCEPTS = Kind("concepts by page")
PARTS = Kind("counted parts")
BAGS = Kind("bags of words")
DRAWS = Kind("draws")
TRAINED = Kind("training documents")
VECTORS = Kind("word vectors")
ALIGNED = Kind("aligned sentences")
TEXTS = Kind("texts of a task")
TABLES = Kind("tables of a task")
MODELS = Kind("models", remedy="remove {path} and fit the model again, or get a whole copy")
RANKS = Kind("ranks")
SCORES = Kind("scores")
