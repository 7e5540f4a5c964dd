"use strict";
// A text is a weighted sum of its words' vectors, as in cr5.models.word_tables and joined_tables.

const FREQUENCIES = {
  raw: (count) => count, log: (count) => Math.log1p(count), sqrt: Math.sqrt, binary: () => 1,
};

const modelParts = new Map();

// The tables of a system's words in a language, a list entry per layer.
async function tablesOf(system, language) {
  const key = `vectors-${system}-${language}`;
  if (!modelParts.has(key)) modelParts.set(key, (await load(key)).map(table));
  return modelParts.get(key);
}

function table({ dense, sparse, weights, offset }) {
  return {
    weights: decoded(weights),
    offset: offset && decoded(offset),
    dense: dense && { width: dense.width, scales: decoded(dense.scales), values: decoded(dense.values) },
    sparse: sparse && decodedRows(sparse),
  };
}

function decodedRows({ starts, columns, values }) {
  return { starts: decoded(starts), columns: decoded(columns), values: decoded(values) };
}

function lengthOf(values, norm) {
  let sum = 0;
  for (const value of values) sum += norm === "l1" ? Math.abs(value) : value * value;
  return norm === "l1" ? sum : Math.sqrt(sum);
}

function scaleFor(values, norm) {
  return norm === "none" ? 1 : 1 / (lengthOf(values, norm) || 1);
}

// Whether a bag has a word with a vector in some layer; see Model.learned. Others compare to none.
function isLearned(bag, tables) {
  return bag.some(([word]) => tables.some(({ weights, dense, sparse }) => weights[word] !== 0
    && (dense ? dense.scales[word] !== 0 : sparse.starts[word] < sparse.starts[word + 1])));
}

// How much of each word's vector goes into the sum. A bag is a list of [word's number, count].
function amounts(bag, { weights }, { frequency, inputNorm }) {
  const found = bag.map(([word, count]) => FREQUENCIES[frequency](count) * weights[word]);
  const scale = scaleFor(found, inputNorm);
  return found.map((value) => value * scale);
}

// Add an amount of a word's vector, without making a vector of it: this is what takes time.
function addWord(sum, word, { dense, sparse }, amount) {
  if (dense) {
    const { width, scales, values } = dense;
    const factor = scales[word] * amount;
    for (let i = 0, at = word * width; i < width; i++, at++) sum[i] += values[at] * factor;
    return;
  }
  for (let i = sparse.starts[word]; i < sparse.starts[word + 1]; i++) {
    const column = sparse.columns[i];
    sum.set(column, (sum.get(column) ?? 0) + sparse.values[i] * amount);
  }
}

// A word's vector times an amount.
function vectorOf(word, has, amount) {
  const vector = nothing(has);
  addWord(vector, word, has, amount);
  return vector;
}

const nothing = ({ dense }) => (dense ? new Float64Array(dense.width) : new Map());

function times(vector, factor) {
  if (vector instanceof Map) return new Map([...vector].map(([key, value]) => [key, value * factor]));
  return vector.map((value) => value * factor);
}

function product(first, second) {
  let sum = 0;
  if (first instanceof Map) {
    const [short, long] = first.size < second.size ? [first, second] : [second, first];
    for (const [key, value] of short) sum += value * (long.get(key) ?? 0);
  } else {
    for (let i = 0; i < first.length; i++) sum += first[i] * second[i];
  }
  return sum;
}

// A bag's row, layer by layer, of length one together; and what each word adds, if wanted.
function embedded(bag, tables, layers, wantsWords = false) {
  const parts = layers.map((layer, i) => partOf(bag, tables[i], layer, wantsWords));
  const there = parts.filter((part) => part.isThere).map((part) => part.factor ** 2);
  const together = layers.length > 1 ? Math.sqrt(there.reduce((x, y) => x + y, 0)) || 1 : 1;
  return parts.map(({ sum, rows, scale, factor }) => {
    const by = (scale * factor) / together;
    return { sum: times(sum, by), rows: rows && rows.map((row) => times(row, by)) };
  });
}

function partOf(bag, has, layer, wantsWords) {
  const found = amounts(bag, has, layer);
  const sum = nothing(has);
  found.forEach((amount, i) => addWord(sum, bag[i][0], has, amount));
  const rows = wantsWords ? found.map((amount, i) => vectorOf(bag[i][0], has, amount)) : null;
  if (has.offset) {
    has.offset.forEach((value, i) => { sum[i] += value; });
    rows?.push(Float64Array.from(has.offset));
  }
  const values = sum instanceof Map ? [...sum.values()] : sum;
  const isThere = values.some((value) => value !== 0);
  return { rows, sum, scale: scaleFor(values, layer.norm), factor: layer.factor, isThere };
}

function similarity(first, second) {
  return first.reduce((sum, part, i) => sum + product(part.sum, second[i].sum), 0);
}
