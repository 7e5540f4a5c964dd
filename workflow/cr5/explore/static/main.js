"use strict";
// Controls, and which view is shown.

const VIEWS = { near: nearView, hubs: hubsView, fails: failsView };
let latest = 0;

async function show() {
  const mine = ++latest;
  showControls();
  byId("main").setAttribute("aria-busy", "true");
  opened.length = 0;
  let content;
  try {
    content = await VIEWS[state.view]();
    await Promise.all(opened);
  } catch (error) {
    content = [element("p", { class: "empty", role: "alert" }, error.message)];
  }
  if (mine !== latest) return; // something else was asked for in the meantime
  byId("main").replaceChildren(...content.filter(Boolean));
  byId("main").removeAttribute("aria-busy");
  byId("status").textContent = byId("main").querySelector(".found")?.textContent ?? "";
}

function showControls() {
  byId("from").value = state.from;
  for (const box of byId("to").querySelectorAll("input")) {
    box.checked = state.to.includes(box.value);
    box.closest("label").hidden = box.value === state.from;
  }
  byId("system").value = state.systems[0];
  byId("beside").replaceChildren(option("", "none"), ...about.systems
    .filter(({ id }) => id !== state.systems[0]).map(({ id, name }) => option(id, name)));
  byId("beside").value = state.systems[1] ?? "";
  byId("measure").replaceChildren(...systemOf(state.systems[0]).measures.map((id) => option(id, about.measures[id])));
  byId("measure").value = state.measure;
  for (const button of byId("views").children) {
    button.setAttribute("aria-pressed", String(button.dataset.view === state.view));
  }
}

const option = (value, text) => element("option", { value }, text);

function fillControls() {
  byId("corpus").textContent = about.corpus.replaceAll("_", " ");
  document.title = `Explore ${about.corpus.replaceAll("_", " ")}`;
  byId("from").replaceChildren(...about.languages.map((code) => option(code, languageName(code))));
  byId("system").replaceChildren(...about.systems.map(({ id, name }) => option(id, name)));
  byId("to").replaceChildren(...about.languages.map((code) => element("label", {},
    element("input", { type: "checkbox", value: code, onchange: takeTargets }),
    element("span", {}, languageName(code)))));
  byId("footer").replaceChildren(...footer().map((text) => element("p", {}, text)));
}

function takeTargets() {
  const chosen = [...byId("to").querySelectorAll("input:checked")].map(({ value }) => value);
  change({ to: chosen });
}

function footer() {
  return [
    "The nearest of test queries, their ranks and scores are those of the evaluation, among all candidates. Words of your own are searched for by ./run cr5 search.",
    about.left ? `Of ${grouped(about.left.all)} test queries the page has ${grouped(about.left.shown)}, evenly taken; hubs are counted over all of them.` : "",
    `Made from ${about.corpus}, setting ${about.setting}: ${about.languages.join(", ")}; ${about.origin}.`,
    "Keys: / to search, ↑ ↓ in lists, Enter to choose, Esc to close.",
  ].filter(Boolean);
}

function focusQuery() {
  byId("search").focus();
}

function pageKey(event) {
  const inField = event.target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select");
  if (event.key === "/" && !inField && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    focusQuery();
  } else if (event.key === "Escape" && !inField && state.why) {
    const key = state.why;
    change({ why: null }).then(() => focusOn(key));
  }
}

function takeSystem(place, id) {
  const systems = [...state.systems];
  if (place === 0) systems[0] = id;
  else systems.splice(1, 1, ...(id ? [id] : []));
  change({ systems: [...new Set(systems)] });
}

function changeFrom(from) {
  const { query } = state;
  const isThere = shelfOf(from).then((shelf) => shelf.place.has(query), () => false); // told by `show`
  isThere.then((has) => change({ from, query: has ? query : null }, true));
}

function wire() {
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("from").addEventListener("change", (event) => changeFrom(event.target.value));
  byId("system").addEventListener("change", (event) => takeSystem(0, event.target.value));
  byId("beside").addEventListener("change", (event) => takeSystem(1, event.target.value));
  byId("measure").addEventListener("change", (event) => change({ measure: event.target.value }));
  for (const button of byId("views").children) {
    button.addEventListener("click", () => change({ view: button.dataset.view }, true));
  }
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("main").focus();
  });
  byId("theme").addEventListener("click", () => {
    const isDark = getComputedStyle(document.documentElement).colorScheme === "dark";
    keepTheme(isDark ? "light" : "dark");
  });
  document.addEventListener("keydown", pageKey);
  window.addEventListener("popstate", restore);
  wireSearch();
}

function restore() {
  readState();
  showTheme();
  return show();
}

async function begin() {
  try {
    about = await load("about");
  } catch (error) {
    byId("main").textContent = error.message;
    return;
  }
  fillControls();
  wire();
  await restore();
  document.documentElement.dataset.ready = "yes";
}

begin();
