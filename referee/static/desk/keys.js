// The keys of the desk. A key belongs to whatever on the page carries it as data-key, so the page and the key agree,
// and the help (key_help.js) is read off the same elements.
import { showHelp, showHint } from "./key_help.js";
import { watchNumbers } from "./numbers.js";

const PENDING_MS = 4000;
const TEXT = "input:not([type=checkbox], [type=radio], [type=file]), textarea, select";

export const typing = (element) => Boolean(element?.matches(TEXT));

/** Whether nothing on the page hides this control; what lies behind an open dialog is hidden by it. The pages behind
 * “More” have their keys without being opened. */
function inReach(element) {
  const dialog = document.querySelector("dialog:modal");
  return (element.checkVisibility() || element.closest(".more-pages")) && !element.disabled && (!dialog || dialog.contains(element));
}

/** The controls that have a key and can be used now: those of a scope only while the focus is in it. */
export function keyed() {
  const here = document.activeElement;
  return [...document.querySelectorAll("[data-key]")].filter((element) => {
    const scope = element.closest("[data-key-scope]");
    return inReach(element) && (!scope || scope.contains(here));
  });
}

/** Do what the control is for: a field or a summary takes the focus, anything else is clicked. */
function use(element) {
  if (element.matches(TEXT)) return void (element.focus(), element.select?.());
  if (!element.matches("summary")) return void element.click();
  const details = element.parentElement;
  details.open = !details.open;
  (details.open && details.querySelector(`:is(${TEXT}):not([type=hidden])`) || element).focus();
}

/** What the keys pressed so far mean among `names`: the index of the control, "more" when they begin one, else null. */
export function meaning(names, pressed) {
  const at = names.indexOf(pressed);
  if (at >= 0) return at;
  return names.some((name) => name.startsWith(`${pressed} `)) ? "more" : null;
}

/** The next or the previous of the parts of the page that are gone through one by one; false where there are none. */
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
  const numbers = watchNumbers({ inReach, use });
  let pending = "";
  let timer = null;

  function wait(keys) {
    clearTimeout(timer);
    pending = keys;
    showHint(keys, keys ? keyed() : []);
    if (keys) timer = setTimeout(() => wait(""), PENDING_MS);
  }

  /** A letter, a sign or a function key; true when it meant something. */
  function press(key) {
    const controls = keyed();
    const names = controls.map((element) => element.dataset.key);
    const found = meaning(names, pending ? `${pending} ${key}` : key);
    const begun = pending !== "";
    wait(found === "more" ? (begun ? `${pending} ${key}` : key) : "");
    if (typeof found === "number") use(controls[found]);
    return begun || found !== null;
  }

  function escape(event) {
    const cancel = keyed().find((element) => element.dataset.key === "Escape");
    const opened = document.querySelector(".more-pages[open]");
    if (pending) wait("");
    else if (opened) opened.open = false;
    else if (typing(document.activeElement)) document.activeElement.blur();
    else if (cancel && !document.querySelector("dialog:modal")) cancel.click();
    else return;
    event.preventDefault();
  }

  function enter(event) {
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
    if (numbers.isOn()) return void (event.preventDefault(), numbers.press(key));
    if (key === "Escape") return escape(event);
    if (key === "Enter") return enter(event);
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
    if (event.target.closest?.("#show-keys")) showHelp(keyed());
  });
}
