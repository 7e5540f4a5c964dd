"use strict";
// The query, and the nearest documents in each language, by one system or two side by side.

async function nearView() {
  if (state.kind === "text" && !state.text.trim()) {
    return [element("p", { class: "empty" }, "Type some words above: the nearest documents appear here.")];
  }
  if (state.kind === "document" && !(await shelfOf(state.from)).place.has(state.query)) {
    return [element("p", { class: "empty" }, "Choose a document above: the nearest ones in other languages appear here.")];
  }
  if (!targets().length) return [await queryCard(), nowhere()];
  const columns = await Promise.all(targets().map(targetSection));
  return [await queryCard(), element("div", { class: `targets-grid${state.systems.length > 1 ? " two" : ""}` }, columns)];
}

const nowhere = () => element("p", { class: "empty" }, "Choose above in which languages to look.");

async function queryCard() {
  if (state.kind === "text") return typedCard();
  const shelf = await shelfOf(state.from);
  const doc = shelf.place.get(state.query);
  const card = element("section", { class: "query", "aria-label": "The query" },
    element("p", { class: "over" }, `${languageName(state.from)} · ${state.query}`),
    inLanguage("h2", state.from, shelf.titles[doc]));
  const text = (await load(`texts-${state.from}`))[doc];
  if (text) card.append(inLanguage("p", state.from, text, { class: "snippet" }));
  return card;
}

async function typedCard() {
  if (about.systems.every((each) => each.without)) return null;
  const { bag, unknown } = await queryBag();
  const { words } = await withWords(state.from);
  const known = bag.map(([word]) => words[word]).join(", ");
  return element("section", { class: "query", "aria-label": "The query" },
    element("p", { class: "over" }, `${languageName(state.from)} · your own words`),
    element("p", {}, known ? "Known words: " : "None of these words is known: is this the language?", known && inLanguage("b", state.from, known)),
    unknown.length ? element("p", { class: "note" }, `Not known: ${unknown.join(", ")}`) : null);
}

async function targetSection(to) {
  const found = await Promise.all(state.systems.map((id) => systemColumn(systemOf(id), to)));
  return element("section", { class: "target", "data-language": to },
    element("h3", {}, languageName(to), element("span", {}, ` ${to}`)),
    element("div", { class: "columns" }, found));
}

async function systemColumn(system, to) {
  const shelf = await shelfOf(to);
  const found = await nearest(system, to);
  const column = element("div", { class: "column", "data-system": system.id },
    state.systems.length > 1 ? element("h4", {}, system.name) : null);
  if (found.refused) {
    column.append(note(found.refused));
    return column;
  }
  column.append(element("p", { class: "found" }, ...summary(found)), hits(found, system, shelf));
  return column;
}

function summary({ truth, isExact, candidates, all, measure }) {
  const more = all > candidates ? ` that are on this page, of ${grouped(all)} candidates` : "";
  const of = ` of ${grouped(candidates)}${more}`;
  const parts = truth
    ? ["True counterpart at rank ", element("b", { class: truth.rank === 1 ? "good" : "" }, grouped(truth.rank)), of]
    : [state.kind === "text" ? `Nearest${of}` : `No counterpart among the candidates${of}`];
  if (!isExact) {
    const asked = state.kind === "text" ? "" : ", as this is no test query of this direction";
    parts.push(element("span", { class: "note" }, ` · computed here from rounded vectors${asked}`));
  }
  if (measure !== state.measure) parts.push(element("span", { class: "note" }, `, by ${about.measures[measure] ?? measure}`));
  return parts;
}

function hits({ hits: near, truth }, system, shelf) {
  const best = Math.max(...near.map(({ score }) => score), 1e-9);
  const list = element("ol", { class: "hits" }, near.map((hit) => hitItem(hit, truth, best, system, shelf)));
  if (truth && !near.some(({ doc }) => doc === truth.doc)) {
    list.append(element("li", { class: "gap", "aria-hidden": "true" }, "⋮"), hitItem(truth, truth, best, system, shelf));
  }
  return arrows(list, ".hit");
}

function hitItem(hit, truth, best, system, shelf) {
  const isTrue = truth?.doc === hit.doc;
  const key = `${system.id}:${shelf.language}:${shelf.ids[hit.doc]}`;
  const isOpen = state.why === key;
  const item = element("li", { class: isTrue ? "true" : "", "data-id": shelf.ids[hit.doc], "data-rank": hit.rank },
    element("button", {
      type: "button", class: "hit", "aria-expanded": String(isOpen), "data-key": key,
      onclick: () => change({ why: isOpen ? null : key }).then(() => focusOn(key)),
    },
    element("span", { class: "rank" }, grouped(hit.rank)),
    element("span", { class: "title" }, inLanguage("span", shelf.language, shelf.titles[hit.doc]),
      isTrue ? element("span", { class: "tag" }, "✓ true counterpart") : null),
    element("span", { class: "score", style: `--share:${Math.max(0, hit.score / best).toFixed(3)}` }, number(hit.score))));
  if (isOpen) {
    const details = element("div", { class: "details" });
    item.append(details);
    opened.push(fillDetails(details, hit.doc, system, shelf));
  }
  return item;
}

// Explanations that are still being worked on.
const opened = [];

async function fillDetails(details, doc, system, shelf) {
  const text = (await load(`texts-${shelf.language}`))[doc];
  if (text) details.append(inLanguage("p", shelf.language, text, { class: "snippet" }));
  details.append(await why(system, shelf.language, doc), element("button", {
    type: "button", class: "plain", onclick: () => fromHere(shelf.language, shelf.ids[doc]),
  }, "Search from this document"));
}

function focusOn(key) {
  document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

function fromHere(language, query) {
  window.scrollTo(0, 0);
  return change({ view: "near", kind: "document", from: language, query }, true);
}
