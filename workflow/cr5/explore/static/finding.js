"use strict";
// What is near a query: looked up where the evaluation asked it, computed here where it did not.

const LISTED = 10;
const shelves = new Map();

// Concepts, titles and, if wanted, words of the documents of a language.
async function shelfOf(language) {
  if (!shelves.has(language)) {
    const { ids, titles } = await load(`documents-${language}`);
    const place = new Map(ids.map((id, i) => [id, i]));
    shelves.set(language, { language, ids, titles, place, words: null, rows: new Map() });
  }
  return shelves.get(language);
}

async function withWords(language) {
  const shelf = await shelfOf(language);
  if (!shelf.words) {
    const { words, counts } = await load(`words-${language}`);
    shelf.counts = decodedRows(counts);
    shelf.placeOfWord = new Map(words.map((word, i) => [word, i]));
    shelf.words = words;
  }
  return shelf;
}

const hasWords = (language, doc) => doc < languageOf(language).withWords;

function bagOf(shelf, doc) {
  const { starts, columns, values } = shelf.counts;
  const found = [];
  for (let i = starts[doc]; i < starts[doc + 1]; i++) found.push([columns[i], values[i]]);
  return found;
}

// By which dictionary words are found where no space is between them.
const UNSPACED = {
  ...Object.fromEntries(["th", "ja", "zh", "km", "lo", "my"].map((code) => [code, code])),
  ...Object.fromEntries(["yue", "lzh", "wuu", "gan", "hak", "nan", "cdo"].map((code) => [code, "zh"])),
};

// As cr5.counts.tokens: runs of letters and marks, lower-cased, in canonical composition.
// `rules` is the language whose rules a code takes, as cr5.base.languages says it: zh for zh_tw.
function tokens(text, rules) {
  let plain = text.normalize("NFC").replaceAll("\u00ad", "");
  if (rules === "tr" || rules === "az") plain = plain.replaceAll("I", "ı").replaceAll("İ", "i");
  plain = plain.toLowerCase().normalize("NFC");
  if (UNSPACED[rules]) {
    const segments = new Intl.Segmenter(UNSPACED[rules], { granularity: "word" }).segment(plain);
    plain = Array.from(segments, (each) => each.segment).join("\n");
  }
  return plain.match(/[\p{L}\p{M}]+/gu) ?? [];
}

function bagOfText(text, shelf) {
  const all = tokens(text, languageOf(shelf.language).rules);
  const counts = new Map();
  for (const token of all) {
    const word = shelf.placeOfWord.get(token);
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const unknown = [...new Set(all.filter((token) => !shelf.placeOfWord.has(token)))];
  return { bag: [...counts].sort((x, y) => x[0] - y[0]), unknown };
}

// The bag of the query that is chosen or typed.
async function queryBag() {
  const shelf = await withWords(state.from);
  if (state.kind === "text") return bagOfText(state.text, shelf);
  const doc = shelf.place.get(state.query);
  return { bag: hasWords(state.from, doc) ? bagOf(shelf, doc) : [], unknown: [] };
}

// The rows of the documents, null for one without a word that the system has learned.
async function rowsOf(system, language) {
  const shelf = await withWords(language);
  if (!shelf.rows.has(system.id)) {
    const tables = await tablesOf(system.id, language);
    const n = languageOf(language).withWords;
    const bags = Array.from({ length: n }, (_, doc) => bagOf(shelf, doc));
    const rows = bags.map((bag) => (isLearned(bag, tables) ? embedded(bag, tables, system.layers) : null));
    shelf.rows.set(system.id, rows);
  }
  return shelf.rows.get(system.id);
}

// What the evaluation found for the chosen document; null where it did not ask for it. A system
// beside another may not have the measure that is asked for: then by its own first one.
async function lookedUp(system, to) {
  if (state.kind === "text") return null;
  const measure = system.measures.includes(state.measure) ? state.measure : system.measures[0];
  const ranks = (await load(`ranks-${system.id}-${state.from}`))[to]?.measures[measure];
  const row = ranks ? ranks.query.indexOf((await shelfOf(state.from)).place.get(state.query)) : -1;
  if (row < 0) return null;
  return {
    isExact: true,
    measure,
    hits: ranks.nearest[row].map((doc, i) => ({ doc, rank: i + 1, score: ranks.scores[row][i] })),
    truth: { doc: ranks.true[row], rank: ranks.rank[row], score: ranks.score[row] },
    candidates: ranks.candidates,
  };
}

// The same, computed from the rounded vectors among the documents that have their words here.
async function computed(system, to) {
  if (system.without) return { refused: `${system.name} cannot be asked here: ${system.without}.` };
  const { bag } = await queryBag();
  if (!bag.length) return { refused: "None of these words is known." };
  const tables = await tablesOf(system.id, state.from);
  if (!isLearned(bag, tables)) return { refused: `None of these ${bag.length} words was in a training document.` };
  const query = embedded(bag, tables, system.layers);
  const cosines = (await rowsOf(system, to)).map((row) => (row ? similarity(query, row) : -Infinity));
  const { scores: first, measure } = await measured(cosines, system, to);
  const scores = system.rerank ? await reranked(bag, first, measure, system, to) : first;
  const known = scores.map((_, doc) => doc).filter((doc) => scores[doc] > -Infinity);
  const order = known.sort((x, y) => scores[y] - scores[x] || x - y);
  const counterpart = state.kind === "document" ? (await shelfOf(to)).place.get(state.query) : undefined;
  const rank = order.indexOf(counterpart) + 1;
  return {
    isExact: false,
    measure,
    hits: order.slice(0, LISTED).map((doc, i) => ({ doc, rank: i + 1, score: scores[doc] })),
    truth: rank ? { doc: counterpart, rank, score: scores[counterpart] } : null,
    candidates: scores.length,
    all: languageOf(to).candidates,
  };
}

// CSLS, 2 cos(x, y) - r(x) - r(y), where it is asked for and r(y) is known.
async function measured(cosines, system, to) {
  const hubness = (await load(`ranks-${system.id}-${state.from}`))[to]?.hubness;
  if (state.measure !== "csls" || !hubness) return { scores: cosines, measure: system.plain };
  const best = cosines.filter(Number.isFinite).sort((x, y) => y - x).slice(0, about.neighbours);
  const near = best.reduce((x, y) => x + y, 0) / best.length;
  return { scores: cosines.map((cosine, doc) => 2 * cosine - near - hubness[doc]), measure: "csls" };
}

async function nearest(system, to) {
  return (await lookedUp(system, to)) ?? computed(system, to);
}
