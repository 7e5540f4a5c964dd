"use strict";
// Why two texts are near: their cosine as a sum over pairs of words, as in cr5.retrieval.why.

const SHOWN = 8;
const OFFSET = "(in every text)";

// Pairs, and sums over each word: of the query's and of the document's.
function contributions(first, second) {
  const n = first[0].rows.length;
  const m = second[0].rows.length;
  const sums = new Float64Array(n * m);
  first.forEach((part, layer) => {
    part.rows.forEach((row, i) => {
      second[layer].rows.forEach((other, j) => {
        sums[i * m + j] += product(row, other);
      });
    });
  });
  const ofFirst = new Float64Array(n);
  const ofSecond = new Float64Array(m);
  sums.forEach((value, place) => {
    ofFirst[Math.floor(place / m)] += value;
    ofSecond[place % m] += value;
  });
  return { sums, ofFirst, ofSecond, m, score: ofFirst.reduce((x, y) => x + y, 0) };
}

function largest(values, names) {
  const order = Array.from(values, (_, i) => i).sort((x, y) => values[y] - values[x] || x - y);
  return order.slice(0, SHOWN).map((i) => ({ part: values[i], name: names(i) }));
}

async function why(system, to, doc) {
  if (system.without) return note(`${system.name} does not say which words did it: ${system.without}.`);
  const [shelf, other, { bag }] = [await withWords(state.from), await withWords(to), await queryBag()];
  if (!hasWords(to, doc) || !bag.length) return note("The words of one of them are not on this page.");
  const bags = [bag, bagOf(other, doc)];
  const rows = await Promise.all([state.from, to].map(async (language, i) =>
    embedded(bags[i], await tablesOf(system.id, language), system.layers, true)));
  const found = contributions(...rows);
  const named = [[shelf, bags[0]], [other, bags[1]]].map(([from, of]) =>
    (i) => (i < of.length ? from.words[of[i][0]] : OFFSET));
  const matches = system.rerank ? await matchesOf(bags, named, system, to) : [];
  return explanation(found, named, to, matches);
}

// What the second stage adds to a score, by pairs of words, the largest first.
async function matchesOf(bags, [first, second], system, to) {
  const both = await Promise.all([state.from, to].map(async (language, i) =>
    matchable(bags[i], await tablesOf(system.id, language), system.layers)));
  const m = bags[1].length;
  const found = [...addedByPair(...both, system.rerank.weight)].map(([key, part]) =>
    ({ part, name: `${first(Math.floor(key / m))} · ${second(key % m)}` }));
  return found.sort((x, y) => y.part - x.part);
}

const note = (text) => element("p", { class: "note" }, text);

function explanation({ sums, ofFirst, ofSecond, m, score }, [first, second], to, matches) {
  const pair = (i) => `${first(Math.floor(i / m))} · ${second(i % m)}`;
  const lists = [
    ["In the query", largest(ofFirst, first)],
    ["In this document", largest(ofSecond, second)],
    ["Pairs of words of both", largest(sums, pair)],
    ...(matches.length ? [["Words that match", matches.slice(0, SHOWN)]] : []),
  ];
  const most = Math.max(...lists.flatMap(([, parts]) => parts.map(({ part }) => part)), 1e-9);
  const isCut = [state.from, to].map(languageOf).some((each) => each.words < each.vocabulary);
  const by = isCut ? " by the words that this page has" : "";
  const added = matches.reduce((sum, { part }) => sum + part, 0);
  const more = matches.length ? ` Words that match add ${number(added)} where it is among the best.` : "";
  return element("div", { class: "why" },
    element("p", { class: "note" },
      `Their cosine, ${number(score)}${by}, is a sum over words; the largest parts are:${more}`),
    element("div", { class: "parts" }, lists.map(([title, parts]) => partsList(title, parts, most))));
}

function partsList(title, parts, most) {
  return element("div", {}, element("h5", {}, title), element("ol", {}, parts.map(({ part, name }) =>
    element("li", { style: `--share:${Math.max(0, part / most).toFixed(3)}` },
      element("span", { dir: "auto" }, name), element("b", {}, number(part))))));
}
