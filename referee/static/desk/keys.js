// The keys of the desk. A key belongs to the element that has it as data-key; the help (key_help.js) is built from the
// same elements.
import { showHelp, showHint } from "./key_help.js";
import { watchNumbers } from "./row_shortcuts.js";

const PENDING_MS = 4000;
const TEXT = "input:not([type=checkbox], [type=radio], [type=file]), textarea, select";

export const typing = (element) => Boolean(element?.matches(TEXT));

/** Whether this control can be used now: visible, enabled, and not behind an open dialog. The pages in the menu “More”
 * have keys while the menu is closed, too. */
function inReach(element) {
  const dialog = document.querySelector("dialog:modal");
  return (element.checkVisibility() || element.closest(".more-pages")) && !element.disabled && (!dialog || dialog.contains(element));
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
  next.focus();
  next.scrollIntoView({ block: "nearest" });
  return true;
}

const button = (form, key) => form?.querySelector(`[data-key="${key}"]`);

/** Listen for keys on the whole page. */
export function watchKeys() {
  const line = document.getElementById("entry-line");
  const numbers = watchNumbers({ inReach, activate });
  let pending = "";
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

  const isDigit = (key) => /^[0-9]$/.test(key);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    const { key } = event;
    if (numbers.isOn()) {
      event.preventDefault();
      return numbers.press(key);
    }
    if (key === "Escape") return pressEscape(event);
    if (key === "Enter") return pressEnter(event);
    const inText = typing(document.activeElement);
    if (inText && !/^F\d+$/.test(key)) return;
    if (!pending && isDigit(key) && line && inReach(line)) return line.focus();
    if (key === "." && !pending) return void (numbers.begin() && event.preventDefault());
    if ((key === "ArrowDown" || key === "ArrowUp") && !pending) {
      if (!step(key === "ArrowDown" ? 1 : -1)) return;
    } else if ((key.length > 1 && !/^F\d+$/.test(key)) || !press(key)) return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const opened = document.querySelector(".more-pages[open]");
    if (opened && !opened.contains(event.target)) opened.open = false;
    if (event.target.closest?.("#show-keys")) showHelp(availableControls());
  });
}
