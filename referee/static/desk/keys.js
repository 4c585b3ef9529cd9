// The keys of the desk. A key belongs to the element that has it as data-key; the help (key_help.js) is built from the
// same elements. Letters act with Alt only, so that typed words decide nothing; function keys act alone.
import { showHelp, showHint } from "./key_help.js";
import { watchNumbers } from "./row_shortcuts.js";

const PENDING_MS = 4000;
const AFTER_TYPING_MS = 1500;
const TEXT = "input:not([type=checkbox], [type=radio], [type=file]), textarea, select";

export const typing = (element) => Boolean(element?.matches(TEXT));

/** Whether this control can be used now: visible or in a closed menu or fold, enabled, not behind an open dialog. */
function inReach(element) {
  const dialog = document.querySelector("dialog:modal");
  return (element.checkVisibility() || isFolded(element)) && !element.disabled && (!dialog || dialog.contains(element));
}

const FOLDS = ".more-pages, .fold";
/** The element, or its whole part of the page for a summary. */
const partOf = (element) => (element.matches("summary") ? element.parentElement : element);
const closedAround = (element) => element.parentElement.closest("details:not([open])");

/** Whether only closed folds, and no other closed parts, hide this control. */
function isFolded(element) {
  let around = closedAround(partOf(element));
  if (!around) return false;
  while (around?.matches(FOLDS)) {
    if (around.checkVisibility()) return true;
    around = closedAround(around);
  }
  return false;
}

/** Open the folds around a control. */
function unfold(element) {
  for (let around = closedAround(partOf(element)); around?.matches(".fold"); around = closedAround(around)) around.open = true;
}

/** The controls with a key that can be used now; those in a scope only while the focus is in it. */
export function availableControls() {
  const here = document.activeElement;
  return [...document.querySelectorAll("[data-key]")].filter((element) => {
    const scope = element.closest("[data-key-scope]");
    return inReach(element) && (!scope || scope.contains(here));
  });
}

/** Focus a field or a summary, click anything else. */
function activate(element) {
  unfold(element);
  if (element.matches(TEXT)) {
    element.focus();
    return element.select?.();
  }
  if (!element.matches("summary")) return void element.click();
  const details = element.parentElement;
  details.open = !details.open;
  (details.open && details.querySelector(`:is(${TEXT}):not([type=hidden])`) || element).focus();
}

/** The index of the control in `names` that the pressed keys name, "more" if they begin one, else null. */
export function findKey(names, pressed) {
  const at = names.indexOf(pressed);
  if (at >= 0) return at;
  return names.some((name) => name.startsWith(`${pressed} `)) ? "more" : null;
}

/** Move the focus to the next or previous part of the page with keys of its own; false if there are none. */
function step(by) {
  const scopes = [...document.querySelectorAll("[data-key-scope]")].filter(inReach);
  if (!scopes.length) return false;
  const at = scopes.findIndex((scope) => scope.contains(document.activeElement));
  const next = scopes[at < 0 ? (by > 0 ? 0 : scopes.length - 1) : Math.min(scopes.length - 1, Math.max(0, at + by))];
  unfold(next);
  next.focus();
  next.scrollIntoView({ block: "nearest" });
  return true;
}

/** The key of an event. With Alt, some systems give another sign for a letter: then it is the letter of the key. */
function keyOf({ key, code, altKey }) {
  if (!altKey || /^[a-z0-9./?]$/i.test(key)) return altKey ? key.toLowerCase() : key;
  return /^Key[A-Z]$/.test(code) ? code.at(-1).toLowerCase() : key;
}

const showChips = (shown) => document.body.toggleAttribute("data-keys", shown);

const button = (form, key) => form?.querySelector(`[data-key="${key}"]`);

/** Listen for keys on the whole page. */
export function watchKeys() {
  const line = document.getElementById("entry-line");
  const numbers = watchNumbers({ inReach, activate });
  let pending = "";
  let lostAt = -AFTER_TYPING_MS;
  let timer = null;

  function wait(keys) {
    clearTimeout(timer);
    pending = keys;
    showHint(keys, keys ? availableControls() : []);
    if (keys) timer = setTimeout(() => wait(""), PENDING_MS);
  }

  /** Handle a letter, a sign or a function key; true if it belongs to a control. */
  function press(key) {
    const controls = availableControls();
    const names = controls.map((element) => element.dataset.key);
    const found = findKey(names, pending ? `${pending} ${key}` : key);
    const begun = pending !== "";
    wait(found === "more" ? (begun ? `${pending} ${key}` : key) : "");
    if (typeof found === "number") activate(controls[found]);
    return begun || found !== null;
  }

  function pressEscape(event) {
    const cancel = availableControls().find((element) => element.dataset.key === "Escape");
    const opened = document.querySelector(".more-pages[open]");
    if (pending) wait("");
    else if (opened) opened.open = false;
    else if (typing(document.activeElement)) document.activeElement.blur();
    else if (cancel && !document.querySelector("dialog:modal")) cancel.click();
    else return;
    event.preventDefault();
  }

  function pressEnter(event) {
    const here = document.activeElement;
    if (event.shiftKey && typing(here) && button(here.form, "Shift+Enter")) button(here.form, "Shift+Enter").click();
    else if (here === document.body && button(document.querySelector("dialog[open]"), "Enter")) button(document.querySelector("dialog[open]"), "Enter").click();
    else return;
    event.preventDefault();
  }

  /** Whether Space or Enter belongs to a word that is typed beside a field: it must not press the focused button. */
  const isLostWord = ({ key }) => (key === " " || key === "Enter") && !typing(document.activeElement) && performance.now() - lostAt < AFTER_TYPING_MS;

  const isDigit = (key) => /^[0-9]$/.test(key);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
    if (event.key === "Alt") return showChips(true);
    const key = keyOf(event);
    if (numbers.isOn()) {
      event.preventDefault();
      return numbers.press(key);
    }
    if (isLostWord(event)) return event.preventDefault();
    if (/^F\d+$/.test(key)) lostAt = -AFTER_TYPING_MS;
    if (key === "Escape") return pressEscape(event);
    if (key === "Enter") return pressEnter(event);
    const inText = typing(document.activeElement);
    if (inText && !/^F\d+$/.test(key) && !(event.altKey && /^[a-z]$/i.test(event.key))) return;
    if (!pending && isDigit(key) && line && inReach(line)) return line.focus();
    if (key === "." && event.altKey && !pending) return void (numbers.begin() && event.preventDefault());
    if (!pending && !event.altKey && /^[\p{L}.]$/u.test(key)) {
      lostAt = performance.now();
      return;
    }
    if ((key === "ArrowDown" || key === "ArrowUp") && !pending) {
      if (!step(key === "ArrowDown" ? 1 : -1)) return;
    } else if ((key.length > 1 && !/^F\d+$/.test(key)) || !press(key)) return;
    event.preventDefault();
  });
  document.addEventListener("keyup", ({ key }) => key === "Alt" && showChips(false));
  addEventListener("blur", () => showChips(false));
  document.addEventListener("click", (event) => {
    const opened = document.querySelector(".more-pages[open]");
    if (opened && !opened.contains(event.target)) opened.open = false;
    if (event.target.closest?.("#show-keys")) showHelp(availableControls());
  });
}
