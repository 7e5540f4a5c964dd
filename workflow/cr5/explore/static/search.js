"use strict";
// The box that finds a query by its title: a combobox with a list of options.

const MOST = 40;
let active = -1;

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

async function matches(typed) {
  const shelf = await shelfOf(state.from);
  const tests = await testQueries(state.from);
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const fits = [...tests].filter((doc) => {
    const text = folded(`${shelf.titles[doc]} ${shelf.ids[doc]}`);
    return words.every((word) => text.includes(word));
  });
  const sorted = fits.sort((x, y) => shelf.titles[x].localeCompare(shelf.titles[y], "en") || x - y);
  return { shelf, found: sorted.slice(0, MOST), n: fits.length };
}

async function showOptions() {
  const input = byId("search");
  const { shelf, found, n } = await matches(input.value);
  active = -1;
  const options = found.map((doc, i) => element("li", {
    role: "option", id: `option-${i}`, "data-id": shelf.ids[doc], "aria-selected": "false",
    onmousedown: (event) => event.preventDefault(),
    onclick: () => choose(shelf.ids[doc]),
  },
  inLanguage("span", state.from, shelf.titles[doc])));
  if (n > found.length) options.push(element("li", { class: "more", role: "presentation" }, `and ${grouped(n - found.length)} more: type on`));
  if (!n) options.push(element("li", { class: "more", role: "presentation" }, "No query has these words in its title"));
  byId("options").replaceChildren(...options);
  byId("options").hidden = false;
  input.setAttribute("aria-expanded", "true");
  input.removeAttribute("aria-activedescendant");
}

function hideOptions() {
  byId("options").hidden = true;
  byId("search").setAttribute("aria-expanded", "false");
  byId("search").removeAttribute("aria-activedescendant");
}

function choose(id) {
  hideOptions();
  byId("search").value = "";
  return change({ view: "near", query: id }, true);
}

function move(step) {
  const all = [...byId("options").querySelectorAll("[role=option]")];
  if (!all.length) return;
  active = (active + step + all.length + (active < 0 && step < 0 ? 1 : 0)) % all.length;
  all.forEach((option, i) => option.setAttribute("aria-selected", String(i === active)));
  all[active].scrollIntoView({ block: "nearest" });
  byId("search").setAttribute("aria-activedescendant", all[active].id);
}

async function searchKey(event) {
  const { key } = event;
  if (key === "Escape") {
    event.target.value = "";
    hideOptions();
  } else if (key === "ArrowDown" || key === "ArrowUp") {
    event.preventDefault();
    if (byId("options").hidden) await showOptions();
    move(key === "ArrowDown" ? 1 : -1);
  } else if (key === "Enter") {
    event.preventDefault();
    const options = byId("options").querySelectorAll("[role=option]");
    const chosen = options[Math.max(active, 0)];
    if (chosen && !byId("options").hidden) choose(chosen.dataset.id);
  }
}

function wireSearch() {
  const input = byId("search");
  const open = () => showOptions().catch(show); // what cannot be read is told there
  input.addEventListener("input", open);
  input.addEventListener("click", open);
  input.addEventListener("keydown", searchKey);
  input.addEventListener("blur", hideOptions);
}
