"use strict";
// What the evaluation found for a query.

const shelves = new Map();

// Concepts and titles of the documents of a language.
async function shelfOf(language) {
  if (!shelves.has(language)) {
    const { ids, titles } = await load(`documents-${language}`);
    const place = new Map(ids.map((id, i) => [id, i]));
    shelves.set(language, { language, ids, titles, place });
  }
  return shelves.get(language);
}

// The queries of a language that are asked in some other that is chosen, by the first system.
async function testQueries(language) {
  const found = new Set();
  const ranks = await load(`ranks-${state.systems[0]}-${language}`);
  for (const code of targets()) {
    for (const doc of Object.values(ranks[code]?.measures ?? {})[0]?.query ?? []) found.add(doc);
  }
  return found;
}

// What was found for the chosen document; null where it was not asked. A system beside another may
// not have the measure that is asked for: then by its own first one.
async function nearest(system, to) {
  const measure = system.measures.includes(state.measure) ? state.measure : system.measures[0];
  const ranks = (await load(`ranks-${system.id}-${state.from}`))[to]?.measures[measure];
  const row = ranks ? ranks.query.indexOf((await shelfOf(state.from)).place.get(state.query)) : -1;
  if (row < 0) return null;
  return {
    measure,
    hits: ranks.nearest[row].map((doc, i) => ({ doc, rank: i + 1, score: ranks.scores[row][i] })),
    truth: { doc: ranks.true[row], rank: ranks.rank[row], score: ranks.score[row] },
    candidates: ranks.candidates,
  };
}
