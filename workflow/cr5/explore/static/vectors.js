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

// How much of each word's vector goes into the sum. A bag is a list of [word's number, count].
function amounts(bag, { weights }, { frequency, inputNorm }) {
  const found = bag.map(([word, count]) => FREQUENCIES[frequency](count) * weights[word]);
  const scale = scaleFor(found, inputNorm);
  return found.map((value) => value * scale);
}

// A word's vector as a list of [column, value], or all of its values.
function vectorOf(word, { dense, sparse }, amount) {
  if (dense) {
    const { width, scales, values } = dense;
    const factor = scales[word] * amount;
    return Float64Array.from(values.subarray(word * width, (word + 1) * width), (x) => x * factor);
  }
  const found = new Map();
  for (let i = sparse.starts[word]; i < sparse.starts[word + 1]; i++) {
    found.set(sparse.columns[i], sparse.values[i] * amount);
  }
  return found;
}

function addTo(sum, vector) {
  if (sum instanceof Map) for (const [key, value] of vector) sum.set(key, (sum.get(key) ?? 0) + value);
  else for (let i = 0; i < sum.length; i++) sum[i] += vector[i];
}

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

// What each word adds, layer by layer; and the sums, of length one together.
function embedded(bag, tables, layers, withWords = false) {
  const parts = layers.map((layer, i) => {
    const has = tables[i];
    const sum = has.dense ? new Float64Array(has.dense.width) : new Map();
    const rows = amounts(bag, has, layer).map((amount, j) => vectorOf(bag[j][0], has, amount));
    if (has.offset) rows.push(Float64Array.from(has.offset));
    for (const row of rows) addTo(sum, row);
    const values = sum instanceof Map ? [...sum.values()] : sum;
    const isZero = !values.some((value) => value !== 0);
    return { rows, sum, scale: scaleFor(values, layer.norm) * layer.factor, isZero, factor: layer.factor };
  });
  const together = Math.sqrt(parts.reduce((x, part) => x + (part.isZero ? 0 : part.factor ** 2), 0));
  const scale = layers.length > 1 ? 1 / (together || 1) : 1;
  return parts.map((part) => ({
    sum: times(part.sum, part.scale * scale),
    rows: withWords ? part.rows.map((row) => times(row, part.scale * scale)) : null,
  }));
}

function similarity(first, second) {
  return first.reduce((sum, part, i) => sum + product(part.sum, second[i].sum), 0);
}
