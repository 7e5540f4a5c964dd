"use strict";
// How well the words of two texts match, as in cr5.search.word_matches and second_stage.

// The words of a bag: weights that sum to one, and vectors of length one.
function matchable(bag, [has], [layer]) {
  const found = amounts(bag, has, layer).map(Math.abs);
  const sum = found.reduce((x, y) => x + y, 0) || 1;
  const rows = bag.map(([word]) => vectorOf(word, has, 1));
  return {
    weights: found.map((value) => value / sum),
    rows: rows.map((row) => times(row, scaleFor(row, "l2"))),
  };
}

const placeOfLargest = (values) => values.reduce((best, value, i) => (value > values[best] ? i : best), 0);

// The best match of each word of either text: places of both words, and what it adds to m.
function bestMatches(first, second) {
  if (!first.rows.length || !second.rows.length) return [];
  const cosines = first.rows.map((row) => second.rows.map((other) => Math.max(0, product(row, other))));
  const forth = cosines.map((row, i) => {
    const j = placeOfLargest(row);
    return [i, j, (first.weights[i] * row[j]) / 2];
  });
  const back = second.rows.map((_, j) => {
    const i = placeOfLargest(cosines.map((row) => row[j]));
    return [i, j, (second.weights[j] * cosines[i][j]) / 2];
  });
  return [...forth, ...back];
}

// What the matches add to a score, by pairs of words: two words may be the best for each other.
function addedByPair(first, second, weight) {
  const added = new Map();
  for (const [i, j, part] of bestMatches(first, second)) {
    const key = i * second.rows.length + j;
    added.set(key, (added.get(key) ?? 0) + weight * part);
  }
  return added;
}

// The scores with what matches add to those of the best documents.
async function reranked(bag, scores, measure, system, to) {
  const { weight, depth } = system.rerank;
  const [shelf, ...tables] = await Promise.all(
    [withWords(to), tablesOf(system.id, state.from), tablesOf(system.id, to)]);
  const query = matchable(bag, tables[0], system.layers);
  const order = scores.map((_, doc) => doc).filter((doc) => scores[doc] > -Infinity);
  order.sort((x, y) => scores[y] - scores[x] || x - y);
  const found = [...scores];
  for (const doc of order.slice(0, depth)) {
    const other = matchable(bagOf(shelf, doc), tables[1], system.layers);
    const gain = bestMatches(query, other).reduce((sum, [, , part]) => sum + part, 0) * weight;
    found[doc] += measure === "csls" ? 2 * gain : gain;
  }
  return found;
}
