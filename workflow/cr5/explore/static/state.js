"use strict";
// What is shown is in the address, behind the #: a link to it shows the same again.

let about;
const state = {};

function systemOf(id) {
  return about.systems.find((each) => each.id === id);
}

function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  const codes = about.languages;
  const ids = about.systems.map((each) => each.id);
  const list = (key) => (given.get(key) ?? "").split(",").filter(Boolean);
  const from = codes.includes(given.get("from")) ? given.get("from") : about.start.from;
  Object.assign(state, {
    view: ["hubs", "fails"].includes(given.get("view")) ? given.get("view") : "near",
    from,
    query: given.get("query") ?? (from === about.start.from ? about.start.query : null),
    to: given.has("to") ? list("to").filter((code) => codes.includes(code)) : codes,
    systems: [...new Set(list("systems").filter((id) => ids.includes(id)))].slice(0, 2),
    measure: given.get("measure"),
    theme: ["light", "dark"].includes(given.get("theme")) ? given.get("theme") : keptTheme(),
    why: given.get("why"),
  });
  if (!state.systems.length) state.systems = ids.slice(0, 1);
  repairMeasure();
}

// A measure that the first system has.
function repairMeasure() {
  const { measures } = systemOf(state.systems[0]);
  if (!measures.includes(state.measure)) state.measure = measures[0];
}

const targets = () => state.to.filter((code) => code !== state.from);

function writeState() {
  const given = new URLSearchParams({ from: state.from });
  if (state.query != null) given.set("query", state.query);
  given.set("to", state.to.join(","));
  given.set("systems", state.systems.join(","));
  given.set("measure", state.measure);
  if (state.view !== "near") given.set("view", state.view);
  if (state.why) given.set("why", state.why);
  if (new URLSearchParams(location.hash.slice(1)).has("theme")) given.set("theme", state.theme);
  return `#${given}`;
}

// Change what is shown; `push` makes it a step that the browser's Back undoes.
function change(changes, push = false) {
  if (["query", "from", "view"].some((key) => key in changes)) state.why = null;
  Object.assign(state, changes);
  repairMeasure();
  const address = writeState();
  if (push) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  return show();
}

function keptTheme() {
  try {
    return localStorage.getItem("cr5-theme");
  } catch {
    return null;
  }
}

function keepTheme(theme) {
  state.theme = theme;
  try {
    localStorage.setItem("cr5-theme", theme);
  } catch {
    // a browser that keeps nothing: the theme lasts as long as the page
  }
  showTheme();
}

function showTheme() {
  if (state.theme) document.documentElement.dataset.theme = state.theme;
  else delete document.documentElement.dataset.theme;
}
