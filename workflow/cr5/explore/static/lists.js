"use strict";
// Documents that are near to many queries, and queries whose counterpart is far.

const WORST = 30;

async function listsView(of, explained) {
  if (!targets().length) return [nowhere()];
  const sections = await Promise.all(targets().map(async (to) =>
    element("section", { class: "target", "data-language": to },
      element("h3", {}, languageName(to), element("span", {}, ` ${to}`)),
      element("div", { class: "columns" }, await Promise.all(state.systems.map(async (id) => {
        const system = systemOf(id);
        const ranks = (await load(`ranks-${id}-${state.from}`))[to]?.measures[state.measure];
        return element("div", { class: "column", "data-system": id },
          state.systems.length > 1 ? element("h4", {}, system.name) : null,
          ranks ? await of(ranks, system, to) : note(`No queries by ${about.measures[state.measure]}.`));
      }))))));
  const two = state.systems.length > 1 ? " two" : "";
  return [element("p", { class: "explained" }, explained), element("div", { class: `targets-grid${two}` }, sections)];
}

function hubsView() {
  return listsView(hubs, `Documents that are among the ten nearest of many queries in ${languageName(state.from)}. Choose one to see of which.`);
}

async function hubs({ hubs: all, queries, nearest: near, query }, system, to) {
  const [shelf, asked] = [await shelfOf(to), await shelfOf(state.from)];
  const items = all.map(([doc, count]) => {
    const key = `hub:${system.id}:${to}:${shelf.ids[doc]}`;
    const isOpen = state.why === key;
    const item = element("li", { "data-id": shelf.ids[doc] }, element("button", {
      type: "button", class: "hit", "aria-expanded": String(isOpen), "data-key": key,
      onclick: () => change({ why: isOpen ? null : key }).then(() => focusOn(key)),
    },
    inLanguage("span", to, shelf.titles[doc], { class: "title" }),
    element("span", { class: "score", style: `--share:${(count / all[0][1]).toFixed(3)}` }, `${count}`)));
    if (isOpen) item.append(queriesOf(near, query, doc, asked));
    return item;
  });
  return element("div", {},
    element("p", { class: "found" }, `How many of ${grouped(queries)} queries have it among their ten nearest:`),
    arrows(element("ol", { class: "hits plain-list" }, items), ".hit"));
}

function queriesOf(near, query, doc, asked) {
  const found = query.filter((_, i) => near[i].includes(doc));
  return element("ul", { class: "details links" }, found.map((each) => element("li", {},
    element("button", { type: "button", class: "link", onclick: () => fromHere(state.from, asked.ids[each]) },
      inLanguage("span", state.from, asked.titles[each])))));
}

function failsView() {
  return listsView(fails, `Queries in ${languageName(state.from)} whose true counterpart is found last. Choose one to see what is found before it.`);
}

async function fails({ rank, query, candidates }, system) {
  const asked = await shelfOf(state.from);
  const failed = rank.map((_, i) => i).filter((i) => rank[i] > 1);
  if (!failed.length) return note("None: every true counterpart is at rank 1.");
  const order = failed.sort((x, y) => rank[y] - rank[x] || x - y).slice(0, WORST);
  const items = order.map((i) => element("li", { "data-id": asked.ids[query[i]] },
    element("button", {
      type: "button", class: "hit", "data-key": `fail:${system.id}:${query[i]}`,
      onclick: () => fromHere(state.from, asked.ids[query[i]]),
    },
    inLanguage("span", state.from, asked.titles[query[i]], { class: "title" }),
    element("span", { class: "score", style: `--share:${(rank[i] / rank[order[0]]).toFixed(3)}` }, grouped(rank[i])))));
  return element("div", {},
    element("p", { class: "found" }, `Rank of the true counterpart, of ${grouped(candidates)}:`),
    arrows(element("ol", { class: "hits plain-list" }, items), ".hit"));
}
