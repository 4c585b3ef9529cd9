// The help for keys: made from the controls of the page that have one, and from the few keys that are no control's.
import { gettext } from "../common/text.js";

/** Keys that belong to the page as a whole. */
const ALWAYS = [
  ["0 … 9", () => gettext("Into the line for slips, with that number")],
  ["↑ ↓", () => gettext("The group of slips above or below"), "[data-key-scope]"],
  [".", () => gettext("Numbers on everything else in sight; the number presses it")],
  ["Esc", () => gettext("Out of the line; back")],
];
const IN_LINE = [
  ["Enter", () => gettext("In the line: hand in; with nothing in it: the next table that is missing")],
  ["Shift Enter", () => gettext("In the line: the table before")],
  ["↑", () => gettext("In the line: bring back the line that was refused")],
  ["Del", () => gettext("In the line: give up the line that was refused")],
  ["17 +", () => gettext("In the line: table 17 has the same as before; = does it, too")],
  ["17+21+33 …", () => gettext("In the line: these tables have the same")],
  ["17 -", () => gettext("In the line: nothing handed in; 0 does it, too, and tells the other reasons for a zero")],
];
const PAGES = "g ";

/** What a control does, in words: what it says of itself, the label of a field, else its text without the key. */
export function says(element) {
  const own = element.dataset.does || element.getAttribute("aria-label");
  if (own) return own;
  const told = (element.labels?.[0] ?? element).cloneNode(true);
  for (const part of told.querySelectorAll("kbd, input, select, textarea")) part.remove();
  return told.textContent.replace(/\s+/g, " ").trim();
}

const NAMES = { Escape: "Esc", "Shift+Enter": "Shift Enter" };

function row(key, text) {
  const line = document.createElement("div");
  const names = key.startsWith(PAGES) || /^\S \S+$/.test(key) ? key.split(" ") : [NAMES[key] ?? key];
  const term = document.createElement("dt");
  names.forEach((name, at) => term.append(...(at ? [" "] : []), Object.assign(document.createElement("kbd"), { textContent: name })));
  line.append(term, Object.assign(document.createElement("dd"), { textContent: text }));
  return line;
}

/** Each key once, in the order of the page; `controls` are elements with data-key. */
function rows(controls) {
  const told = new Map();
  for (const element of controls) if (!told.has(element.dataset.key)) told.set(element.dataset.key, says(element));
  return [...told].map(([key, text]) => row(key, text));
}

function fill(list, title, lines) {
  if (!lines.length) return;
  const head = Object.assign(document.createElement("h3"), { textContent: title });
  const keys = Object.assign(document.createElement("dl"), { className: "keys" });
  keys.append(...lines);
  list.append(head, keys);
}

const isThere = ([, , selector]) => !selector || document.querySelector(selector);

/** Open the help with the keys of the page as it is now. */
export function showHelp(controls) {
  const dialog = document.getElementById("keys");
  const list = document.getElementById("keys-list");
  if (!dialog || dialog.open) return;
  const scoped = [...(document.querySelector("[data-key-scope]")?.querySelectorAll("[data-key]") ?? [])];
  const pages = controls.filter((element) => element.dataset.key.startsWith(PAGES));
  const here = controls.filter((element) => !pages.includes(element) && !element.closest("[data-key-scope]"));
  const line = document.getElementById("entry-line") ? [...ALWAYS.slice(0, 1), ...IN_LINE] : [];
  const always = [...line, ...ALWAYS.slice(1)].filter(isThere).map(([key, text]) => row(key, text()));
  list.replaceChildren();
  fill(list, gettext("On this screen"), rows(here));
  fill(list, gettext("In the group that is marked"), rows(scoped));
  fill(list, gettext("Always"), always);
  fill(list, gettext("Other pages"), rows(pages));
  dialog.showModal();
}

/** Tell what may follow the keys pressed so far; nothing pressed takes it away. */
export function showHint(pressed, controls) {
  document.body.toggleAttribute("data-pending", Boolean(pressed));
  const hint = document.getElementById("key-hint");
  if (!hint) return;
  hint.replaceChildren(...(pressed ? rows(controls.filter(({ dataset }) => dataset.key.startsWith(`${pressed} `))) : []));
  hint.hidden = !pressed;
}
