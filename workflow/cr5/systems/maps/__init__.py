"""Linear maps between two monolingual word spaces, and how to find them.

Vectors are rows: a source word x (1 x d) becomes x W, with W a d x d orthogonal matrix. Spaces
have unit rows, most frequent word first. Word numbers are rows of a space; pairs are p x 2 of them,
source and target.
"""
