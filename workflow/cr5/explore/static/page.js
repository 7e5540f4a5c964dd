"use strict";
// What is chosen is in the form and, behind the #, in the address: a link shows the same again.

const form = document.forms[0];
const fields = form.elements;
const main = document.querySelector("main");
const search = document.querySelector("[type=search]");
const data = {}; // by the name of its file, see page.py; and what serve.py finds for typed words
const LISTED = 30; // hubs and failing queries of each direction
let state = {};

// Elements are made of text, never of markup: titles and texts may hold anything.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A title or text in the language and direction that it has.
function inLanguage(name, code, text, attributes = {}) {
  return element(name, { lang: code.replaceAll("_", "-"), dir: "auto", ...attributes }, text);
}

// Files of data are scripts, as a page opened from the disk may load nothing else.
function load(name) {
  if (name in data) return null;
  return new Promise((resolve, reject) => {
    const script = element("script", { src: `data/${encodeURIComponent(name)}.js` });
    script.onload = resolve;
    script.onerror = () => reject(new Error(`data/${name}.js: not there; run cr5 explore again`));
    document.head.append(script);
  });
}

// What a system finds for typed words. Only a page that is served can ask.
async function ask({ from, measure, words }, targets, system) {
  if (!words) throw new Error("Type words above, and press Enter");
  const asked = new URLSearchParams({ from, measure, words, system, to: targets });
  const answer = await fetch(`search?${asked}`).catch(() => null);
  if (answer?.headers.get("Content-Type") !== "application/json") {
    throw new Error("Typed words are searched for where cr5 explore --serve shows this page");
  }
  const told = await answer.json();
  if (!answer.ok) throw new Error(told);
  const { found, documents } = told;
  data[`typed-${system}-${from}`] = found;
  for (const language of Object.keys(documents)) Object.assign(documentsIn(language), documents[language]);
}

const documentsIn = (language) => data[`documents-${language}`].documents;
const queriesIn = (language) => data[`documents-${language}`].queries;
const options = (field) => new Map(Array.from(field.options, ({ value, text }) => [value, text]));
const number = (value) => value.toLocaleString("en");

function address(changes) {
  return `#${new URLSearchParams({ ...state, ...changes })}`;
}

function link(language, query) {
  const href = address({ view: "near", from: language, query });
  return inLanguage("a", language, documentsIn(language)[query][0], { href });
}

// A document, with a value and its share of the largest; it opens to its text and to links.
function row(language, id, value, share, links) {
  const [title, text] = documentsIn(language)[id];
  return element("li", { "data-id": id },
    element("details", {},
      element("summary", {},
        inLanguage("span", language, title, { class: "title" }),
        element("span", { class: "value", style: `--share: ${share}` }, value)),
      inLanguage("p", language, text),
      ...links));
}

// Documents with their scores, the nearest first; share of the best score.
function hits(language, ids, scores) {
  return ids.map((id, place) => {
    const links = queriesIn(language).includes(id) ? [link(language, id)] : [];
    const value = scores[place].toFixed(3).replace("-", "−");
    const made = row(language, id, value, scores[0] > 0 ? scores[place] / scores[0] : 0, links);
    made.value = place + 1;
    return made;
  });
}

// Documents with numbers, the largest first, and queries to go to.
function largest(language, counted) {
  const first = counted.sort(([, one], [, other]) => other - one).slice(0, LISTED);
  return first.map(([id, n, queries]) => {
    const links = queries.map((query) => link(state.from, query));
    return row(language, id, number(n), n / first[0][1], links);
  });
}

// By view, what is said of a direction, and a list; nothing where the query is not asked.
const views = {
  near(queries, to) {
    if (!(state.query in queries)) return null;
    const { rank, score, n_candidates, nearest, scores } = queries[state.query];
    const place = element("b", {}, number(rank));
    const said = ["True counterpart at rank ", place, ` of ${number(n_candidates)}`];
    const isFar = !nearest.includes(state.query);
    const rows = hits(to, isFar ? [...nearest, state.query] : nearest, isFar ? [...scores, score] : scores);
    const counterpart = rows.find((each) => each.dataset.id === state.query);
    counterpart.className = "true";
    counterpart.value = rank;
    return [said, rows];
  },
  typed({ nearest, scores }, to) {
    const said = nearest.length ? "Nearest of all documents" : "Nothing is found: the system knows none of these words";
    return [[said], hits(to, nearest, scores)];
  },
  hubs(queries, to) {
    const asked = Object.keys(queries);
    const said = `How many of ${number(asked.length)} queries have it among their ten nearest: open to see which`;
    const nearTo = new Map();
    for (const query of asked) {
      for (const id of queries[query].nearest) nearTo.set(id, [...(nearTo.get(id) ?? []), query]);
    }
    return [[said], largest(to, Array.from(nearTo, ([id, near]) => [id, near.length, near]))];
  },
  failing(queries) {
    const [{ n_candidates }] = Object.values(queries);
    const said = `Rank of the true counterpart, of ${number(n_candidates)}`;
    const failing = Object.entries(queries).filter(([, { rank }]) => rank > 1);
    return [[said], largest(state.from, failing.map(([query, { rank }]) => [query, rank, [query]]))];
  },
};

// What a system found in a language, by the chosen measure or else the first that it has.
function column(system, to) {
  const kind = state.view === "typed" ? "typed" : "ranks";
  const measures = data[`${kind}-${system}-${state.from}`][to] ?? {};
  const measure = state.measure in measures ? state.measure : Object.keys(measures)[0];
  const found = measure && views[state.view](measures[measure], to);
  const [said, rows] = found ?? [["Not asked here: it is no test query of this direction."], []];
  const names = [options(fields.system).get(system), options(fields.measure).get(measure)];
  return element("div", { "data-system": system },
    element("h3", {}, names.filter(Boolean).join(", ")),
    element("p", {}, ...said),
    element("ol", { class: state.view }, ...rows));
}

function direction(to, systems) {
  return element("section", { class: "card", "data-language": to },
    element("h2", {}, options(fields.to).get(to), element("small", {}, ` ${to}`)),
    element("div", { class: "columns" }, ...systems.map((system) => column(system, to))));
}

function queryCard({ from, query }) {
  const [title, text] = documentsIn(from)[query];
  return element("section", { class: "card query" },
    element("p", {}, `${options(fields.from).get(from)} · ${query}`),
    inLanguage("h2", from, title),
    inLanguage("p", from, text));
}

// The queries of a language, by what is typed for them: some have the same title.
function titlesIn(language) {
  const found = new Map();
  for (const query of queriesIn(language)) {
    const [title] = documentsIn(language)[query];
    found.set(found.has(title) ? `${title} (${query})` : title, query);
  }
  return found;
}

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const field of form.querySelectorAll("select")) {
    const value = given.get(field.name);
    field.value = options(field).has(value) ? value : field.options[0].value;
  }
  if (fields.to.value === fields.from.value) fields.to.value = "";
  fields.view.value = given.get("view") ?? "near";
  const typed = { query: given.get("query"), words: given.get("words") ?? "" };
  state = { ...Object.fromEntries(new FormData(form)), ...typed };
}

async function show() {
  readAddress();
  const mine = state;
  const others = [...options(fields.to).keys()].filter((code) => code && code !== mine.from);
  const targets = mine.to ? [mine.to] : others;
  const systems = [...new Set([mine.system, mine.beside || mine.system])];
  await Promise.all([
    ...[mine.from, ...targets].map((code) => load(`documents-${code}`)),
    ...systems.map((id) => load(`ranks-${id}-${mine.from}`)),
  ]);
  if (mine.view === "typed") await Promise.all(systems.map((id) => ask(mine, targets, id)));
  if (state !== mine) return; // something else was chosen in the meantime
  const queries = queriesIn(mine.from);
  if (!queries.includes(mine.query)) [mine.query] = queries;
  const titles = Array.from(titlesIn(mine.from).keys(), (value) => element("option", { value }));
  search.list.replaceChildren(...titles);
  search.value = mine.view === "typed" ? mine.words : "";
  const sections = targets.map((to) => direction(to, systems));
  const card = mine.view === "near" ? [queryCard(mine)] : [];
  main.replaceChildren(...card, element("div", { class: "grid" }, ...sections));
  scrollTo(0, 0);
}

function begin() {
  show().catch(({ message }) => main.replaceChildren(element("p", { role: "alert" }, message)));
}

// Codes of a corpus's own stay as they are, and so does what is no language.
const names = new Intl.DisplayNames(["en"], { type: "language" });
for (const option of [...fields.from.options, ...fields.to.options]) {
  try {
    option.text = names.of(option.value.replaceAll("_", "-"));
  } catch {}
}

// A title, or else words.
function find() {
  const query = titlesIn(state.from).get(search.value);
  location.hash = address(query ? { view: "near", query } : { view: "typed", words: search.value });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  find();
});
form.addEventListener("input", ({ target, inputType = "insertReplacementText" }) => {
  if (target !== search) location.hash = address(Object.fromEntries(new FormData(form)));
  else if (inputType === "insertReplacementText" && search.value) find(); // picked from the list
});
addEventListener("hashchange", begin);
begin();
