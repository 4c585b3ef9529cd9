// The help for keys: built from the controls of the page that have a key, and from the few keys without a control.
import { gettext } from "../common/text.js";

/** Keys of the whole page. */
const ALWAYS = [
  ["0 … 9", () => gettext("Go to the line for paper slips, starting with that number")],
  ["↑ ↓", () => gettext("Go to the group of slips above or below"), "[data-key-scope]"],
  ["Alt .", () => gettext("Show numbers on all other controls; typing a number activates its control")],
  ["Esc", () => gettext("Leave the line; go back")],
];
const IN_LINE = [
  ["Enter", () => gettext("In the line: submit; in an empty line: the next missing table")],
  ["Shift Enter", () => gettext("In the line: the previous table")],
  ["↑", () => gettext("In the line: edit the refused line")],
  ["Del", () => gettext("In the line: drop the refused line")],
  ["17 +", () => gettext("In the line: table 17 has the same slip as before (also =)")],
  ["17+21+33 …", () => gettext("In the line: these tables have the same slip")],
  ["17 -", () => gettext("In the line: nothing handed in (also 0, which lists the other reasons for a zero)")],
];
const PAGES = "g ";

/** The description of a control: its data-help or aria-label, the label of its field, else its text without the key. */
export function describe(element) {
  const own = element.dataset.help || element.getAttribute("aria-label");
  if (own) return own;
  const described = (element.labels?.[0] ?? element).cloneNode(true);
  for (const part of described.querySelectorAll("kbd, input, select, textarea")) part.remove();
  return described.textContent.replace(/\s+/g, " ").trim();
}

const NAMES = { Escape: "Esc", "Shift+Enter": "Shift Enter" };

const namesOf = (key) => (/^\S \S/.test(key) ? key.split(" ") : [NAMES[key] ?? key]);

function row(key, text) {
  const line = document.createElement("div");
  const letter = /^[a-z]( |$)/.test(key) ? ["Alt"] : [];
  const names = [...letter, ...namesOf(key)];
  const term = document.createElement("dt");
  for (const name of names) {
    if (term.hasChildNodes()) term.append(" ");
    term.append(Object.assign(document.createElement("kbd"), { textContent: name }));
  }
  line.append(term, Object.assign(document.createElement("dd"), { textContent: text }));
  return line;
}

/** Each key once, in the order of the page; `controls` are elements with data-key. */
function rows(controls) {
  const described = new Map();
  for (const element of controls) if (!described.has(element.dataset.key)) described.set(element.dataset.key, describe(element));
  return [...described].map(([key, text]) => row(key, text));
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
  fill(list, gettext("In the focused group"), rows(scoped));
  fill(list, gettext("Always"), always);
  fill(list, gettext("Other pages"), rows(pages));
  dialog.showModal();
}

/** Show what may follow the keys pressed so far; hide the hint when none is pressed. */
export function showHint(pressed, controls) {
  document.body.toggleAttribute("data-pending", Boolean(pressed));
  const hint = document.getElementById("key-hint");
  if (!hint) return;
  hint.replaceChildren(...(pressed ? rows(controls.filter(({ dataset }) => dataset.key.startsWith(`${pressed} `))) : []));
  hint.hidden = !pressed;
}
