"""What systems should find, computed without them: from counts, vectors and dictionaries as arrays.

An oracle maps a `Plain` and the options of a fit, with what validation chose in place of lists to
choose from, to similarities of all documents: by source and target language a matrix. Everything is
dense, by NumPy, SciPy, scikit-learn and gensim; where a paper has a formula it is written out.
"""

from tests.systems.oracles import concepts, maps
from tests.systems.oracles.bags import ORACLES

__all__ = ["ORACLES", "concepts", "maps"]
