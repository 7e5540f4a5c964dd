"""Stands for the program eflomal, which is compiled: IBM model 1, the same links on any machine.

It is called with `-s FIRST -t SECOND` and `-f LINKS` or `-r LINKS`. A line of the files is a number
of words and the numbers of these, below a line of sizes. Seeds come from /dev/urandom; this needs
none.
"""

import argparse
from pathlib import Path

import numpy as np

ROUNDS = 6


def read(path):
    """Return the words of all lines, and the line of each."""
    return [np.array(x.split()[1:], int) for x in Path(path).read_text().splitlines()[1:]]


def links(first, second):
    """For each line, the most probable word of `first` for each of `second`: (line, i, j)."""
    line, i, j, x, y = [], [], [], [], []
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        line.append(np.full(len(one) * len(other), number))
        at = np.indices((len(one), len(other))).reshape(2, -1)
        i.append(at[0])
        j.append(at[1])
        x.append(one[at[0]])
        y.append(other[at[1]])
    line, i, j, x, y = map(np.concatenate, (line, i, j, x, y))
    _, kind = np.unique(x * (y.max() + 1) + y, return_inverse=True)
    _, place = np.unique(line * (j.max() + 1) + j, return_inverse=True)
    p = np.ones(kind.max() + 1)
    for _ in range(ROUNDS):
        share = p[kind] / np.bincount(place, p[kind])[place]
        totals = np.bincount(x, share)
        p = np.bincount(kind, share)
        p /= np.maximum(np.bincount(kind, totals[x]) / np.bincount(kind), 1e-12)
    best = np.lexsort((i, -p[kind], place))
    best = best[np.unique(place[best], return_index=True)[1]]
    return line[best], i[best], j[best]


def main():
    """Read, align, write."""
    parser = argparse.ArgumentParser()
    for option in ("-s", "-t", "-f", "-r"):
        parser.add_argument(option)
    given, _ = parser.parse_known_args()
    first, second = read(given.s), read(given.t)
    if given.f:
        line, i, j = links(first, second)
    else:
        line, j, i = links(second, first)
    found = [[] for _ in first]
    for number, one, other in zip(line.tolist(), i.tolist(), j.tolist(), strict=True):
        found[number].append(f"{one}-{other}")
    Path(given.f or given.r).write_text("".join(" ".join(x) + "\n" for x in found))


main()
