"use strict";
// The query, and the nearest documents in each language, by one system or two side by side.

async function nearView() {
  if (!(await shelfOf(state.from)).place.has(state.query)) {
    return [element("p", { class: "empty" }, "Choose a document above: the nearest ones in other languages appear here.")];
  }
  if (!targets().length) return [await queryCard(), nowhere()];
  const columns = await Promise.all(targets().map(targetSection));
  return [await queryCard(), element("div", { class: `targets-grid${state.systems.length > 1 ? " two" : ""}` }, columns)];
}

const nowhere = () => element("p", { class: "empty" }, "Choose above in which languages to look.");

async function queryCard() {
  const shelf = await shelfOf(state.from);
  const doc = shelf.place.get(state.query);
  const card = element("section", { class: "query", "aria-label": "The query" },
    element("p", { class: "over" }, `${languageName(state.from)} · ${state.query}`),
    inLanguage("h2", state.from, shelf.titles[doc]));
  const text = (await load(`texts-${state.from}`))[doc];
  if (text) card.append(inLanguage("p", state.from, text, { class: "snippet" }));
  return card;
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
  if (!found) {
    column.append(note("Not asked here: it is no test query of this direction."));
    return column;
  }
  column.append(element("p", { class: "found" }, ...summary(found)), hits(found, system, shelf));
  return column;
}

function summary({ truth, candidates, measure }) {
  const parts = ["True counterpart at rank ", element("b", { class: truth.rank === 1 ? "good" : "" }, grouped(truth.rank)), ` of ${grouped(candidates)}`];
  if (measure !== state.measure) parts.push(element("span", { class: "note" }, `, by ${about.measures[measure] ?? measure}`));
  return parts;
}

function hits({ hits: near, truth }, system, shelf) {
  const best = Math.max(...near.map(({ score }) => score), 1e-9);
  const list = element("ol", { class: "hits" }, near.map((hit) => hitItem(hit, truth, best, system, shelf)));
  if (!near.some(({ doc }) => doc === truth.doc)) {
    list.append(element("li", { class: "gap", "aria-hidden": "true" }, "⋮"), hitItem(truth, truth, best, system, shelf));
  }
  return arrows(list, ".hit");
}

function hitItem(hit, truth, best, system, shelf) {
  const isTrue = truth.doc === hit.doc;
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
    opened.push(fillDetails(details, hit.doc, shelf));
  }
  return item;
}

// Details that are still being read.
const opened = [];

async function fillDetails(details, doc, shelf) {
  const text = (await load(`texts-${shelf.language}`))[doc];
  details.append(inLanguage("p", shelf.language, text || shelf.titles[doc], { class: "snippet" }));
  if (!(await isQuery(shelf, doc))) return;
  details.append(element("button", {
    type: "button", class: "plain", onclick: () => fromHere(shelf.language, shelf.ids[doc]),
  }, "Search from this document"));
}

async function isQuery({ language }, doc) {
  const ranks = await load(`ranks-${state.systems[0]}-${language}`);
  return Object.values(ranks).some(({ measures }) => Object.values(measures)[0].query.includes(doc));
}

function focusOn(key) {
  document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

function fromHere(language, query) {
  window.scrollTo(0, 0);
  return change({ view: "near", from: language, query }, true);
}
