"use strict";
// Elements are made of text, never of markup: titles and texts may hold anything.

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child != null && child !== ""));
  return made;
}

const byId = (id) => document.getElementById(id);

const names = new Intl.DisplayNames(["en"], { type: "language" });

function languageName(code) {
  try {
    const name = names.of(code.replaceAll("_", "-"));
    return name === code ? code : name;
  } catch {
    return code;
  }
}

// A title or text in the language and direction that it has.
function inLanguage(name, code, text, attributes = {}) {
  return element(name, { lang: code.replaceAll("_", "-"), dir: "auto", ...attributes }, text);
}

function number(value, decimals = 3) {
  if (value == null) return "–";
  return value.toFixed(decimals).replace("-", "−");
}

const note = (text) => element("p", { class: "note" }, text);

const grouped = (value) => value.toLocaleString("en");

// Up and down go from one to the next of what can be chosen in a list.
function arrows(list, selector) {
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.matches(selector)) return;
    const all = [...list.querySelectorAll(selector)];
    const next = all[all.indexOf(event.target) + step];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });
  return list;
}
