"""Stands for the program eflomal, which is compiled: IBM model 1, the same links on any machine.

It is called with `-s FIRST -t SECOND` and `-f LINKS` or `-r LINKS`. A line of the files is a number
of words and the numbers of these, below a line of sizes. Seeds come from /dev/urandom; this needs
none.
"""

import argparse
from pathlib import Path

import numpy as np

ROUNDS = 6


def sentences(path):
    """Return the words of each line."""
    lines = Path(path).read_text().splitlines()[1:]
    return [np.array(line.split()[1:], int) for line in lines]


def candidates(first, second):
    """Return all pairs of words of each line, as columns: line, places in it, and both words."""
    of_lines = []
    for number, (words, other_words) in enumerate(zip(first, second, strict=True)):
        place, other_place = np.indices((len(words), len(other_words))).reshape(2, -1)
        line = np.full(len(place), number)
        of_lines.append([line, place, other_place, words[place], other_words[other_place]])
    return np.hstack(of_lines)


def links(first, second):
    """For each line, the most probable word of `first` for each of `second`: (line, i, j)."""
    line, i, j, word, other_word = candidates(first, second)
    n_other_words = other_word.max() + 1
    longest_line = j.max() + 1
    _, pair = np.unique(word * n_other_words + other_word, return_inverse=True)
    _, place = np.unique(line * longest_line + j, return_inverse=True)
    n_pairs = pair.max() + 1
    probability = np.ones(n_pairs)  # of `other_word` given `word`, for each pair of words
    for _ in range(ROUNDS):
        total_at_place = np.bincount(place, probability[pair])
        share = probability[pair] / total_at_place[place]
        total_of_word = np.bincount(word, share)
        probability = np.bincount(pair, share)
        total = np.bincount(pair, total_of_word[word])
        total /= np.bincount(pair)
        probability /= np.maximum(total, 1e-12)
    order = np.lexsort((i, -probability[pair], place))
    _, first_of_place = np.unique(place[order], return_index=True)
    best = order[first_of_place]
    return line[best], i[best], j[best]


def main():
    """Read, align, write."""
    parser = argparse.ArgumentParser()
    for option in ("-s", "-t", "-f", "-r"):
        parser.add_argument(option)
    options, _ = parser.parse_known_args()
    first = sentences(options.s)
    second = sentences(options.t)
    if options.f:
        line, i, j = links(first, second)
    else:
        line, j, i = links(second, first)
    links_of_lines = [[] for _ in first]
    for number, place, other_place in zip(line.tolist(), i.tolist(), j.tolist(), strict=True):
        links_of_lines[number].append(f"{place}-{other_place}")
    text = "".join(" ".join(of_line) + "\n" for of_line in links_of_lines)
    Path(options.f or options.r).write_text(text)


main()
