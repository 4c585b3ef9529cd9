// The queue of slips at the desk: which one is in focus, its board, who else looks at what; and nothing is lost when
// the page is brought up to date under somebody's hands. What is decided is decided by the forms of the page.
import { drawLooking } from "./looking.js";

const REPEAT_MS = 20000;
const SAID_AT_MOST_EVERY_MS = 250;

const cards = () => [...document.querySelectorAll("#console [data-question]")];
const cardOf = (element) => element?.closest?.("[data-question]");
const cardNamed = (key) => cards().find((card) => card.dataset.question === key);
const openedOf = (card) => card.querySelector(".opened");
const TYPED = "input:not([type=hidden]), textarea, select";

/** Boards that were fetched, by what they show: the same ones are wanted again after each news. */
const boards = new Map();
const boardName = (card) => `${card.dataset.question} ${card.dataset.version}`;

function showBoard(card) {
  const place = openedOf(card);
  if (!place || place.childElementCount) return;
  const known = boards.get(boardName(card));
  if (known === undefined) return void window.htmx.ajax("GET", place.dataset.source, { target: place, swap: "innerHTML" });
  place.replaceChildren(...known.cloneNode(true).childNodes);
  window.htmx.process(place);
}

/** A long list of clear groups is fetched once somebody opens it. */
function fillClear() {
  const details = document.getElementById("clear-groups");
  const place = details?.querySelector(".clear-list:not([data-asked])");
  if (!details?.open || !place) return;
  place.dataset.asked = "yes";
  window.htmx.ajax("GET", details.dataset.list, { target: place, swap: "innerHTML" });
}

/** What is typed into the queue, by form and field, so that it can be put back after the page was fetched anew. */
function typed() {
  const kept = new Map();
  for (const field of document.querySelectorAll(`#console .queue :is(${TYPED})`)) {
    if (field.value !== field.defaultValue && !field.matches("select")) kept.set(nameOf(field), field.value);
  }
  return kept;
}

function nameOf(field) {
  const form = field.form;
  const forms = [...cardOf(field).querySelectorAll("form")].filter((other) => other.action === form.action);
  return [cardOf(field).dataset.question, form.action, forms.indexOf(form), field.name].join(" ");
}

/** Where the person is: the card, the field in it and the place in its text, and the open cards that come after it. */
function whereabouts(card) {
  const here = document.activeElement;
  const all = cards();
  const others = all.slice(all.indexOf(card) + 1).concat(all.slice(0, all.indexOf(card)).reverse());
  return {
    key: card.dataset.question,
    wasOpen: "open" in card.dataset,
    after: others.filter((other) => "open" in other.dataset).map((other) => other.dataset.question),
    field: card.contains(here) && here.matches(TYPED) ? nameOf(here) : "",
    range: [here.selectionStart, here.selectionEnd],
    opened: all.filter((it) => openedOf(it)?.childElementCount).map((it) => it.dataset.question),
  };
}

function goBack(place, isDecided) {
  const same = cardNamed(place.key);
  const isDone = place.wasOpen && (!same || !("open" in same.dataset));
  const next = isDone && isDecided ? place.after.map(cardNamed).find(Boolean) : null;
  const card = next || same || place.after.map(cardNamed).find(Boolean);
  if (!card) return;
  const fields = [...card.querySelectorAll(TYPED)];
  const field = card === same && place.field ? fields.find((it) => it.type !== "hidden" && nameOf(it) === place.field) : null;
  (field || card).focus({ preventScroll: card === same });
  if (field && Number.isInteger(place.range[0])) field.setSelectionRange(...place.range);
}

/** Put the typed text back into the fields that are still there. */
function putBack(kept) {
  if (!kept.size) return;
  for (const field of document.querySelectorAll(`#console .queue :is(${TYPED})`)) {
    const value = kept.get(nameOf(field));
    if (value !== undefined) field.value = value;
  }
}

/** Let a paper slip that was typed wrongly be typed again: its line stands in the line, marked. */
function typeAgain(line) {
  const entry = document.getElementById("entry-line");
  entry.value = line;
  entry.focus();
  entry.select();
  entry.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Look after the queue. `say` sends a message to the hall.
 *
 * Gives `hear(colleagues)`: who looks at what; `keeps(element)`: whether what is typed there survives that the page is
 * fetched anew; `again()`: say once more where one is, to a hall that may not know.
 */
export function watchGroups(say) {
  let looking = "";
  let timer = null;
  let colleagues = [];
  let kept = new Map();
  let place = null;
  let isDecided = false;
  let focusIn = "";

  function lookAt(key) {
    if (key === looking) return;
    looking = key;
    clearTimeout(timer);
    timer = setTimeout(() => say({ t: "look", at: looking }), SAID_AT_MOST_EVERY_MS);
  }

  document.addEventListener("focusin", (event) => {
    const card = cardOf(event.target);
    // Who confirms what he decided in the box above the page still looks at it.
    if (card) lookAt(card.dataset.question);
    else if (event.target.id === "entry-line") lookAt("");
    if (card && "open" in card.dataset) showBoard(card);
  });
  // Out of a field, or of the box that asks again, one is back at the card, where its keys work.
  document.addEventListener("keydown", ({ key, target }) => {
    const card = key === "Escape" && target.matches?.(TYPED) && cardOf(target);
    if (card) setTimeout(() => card.isConnected && card.focus());
  });
  document.addEventListener("toggle", fillClear, true);
  document.addEventListener(
    "close",
    ({ target }) => target.matches("#preview dialog") && cardNamed(looking)?.focus({ preventScroll: true }),
    true,
  );
  setInterval(() => looking && say({ t: "look", at: looking }), REPEAT_MS);

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens-group], [data-board-of], [data-line]");
    if (!opener || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (opener.dataset.line !== undefined) return typeAgain(opener.dataset.line);
    const card = cardOf(opener);
    const opened = openedOf(card);
    if (opened.childElementCount) return void opened.replaceChildren();
    if (opener.dataset.opensGroup) focusIn = card.dataset.question;
    showBoard(card);
    focusField(card);
  });

  function focusField(card) {
    if (focusIn !== card.dataset.question || !openedOf(card).childElementCount) return;
    focusIn = "";
    [...openedOf(card).querySelectorAll(TYPED)].find((field) => field.type !== "hidden")?.focus();
  }

  document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id !== "console") return;
    const card = cardOf(document.activeElement) || cardNamed(looking);
    place = card ? whereabouts(card) : null;
    isDecided = detail.requestConfig.verb !== "get";
    kept = isDecided ? new Map() : typed();
  });
  document.body.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
    const card = cardOf(target);
    if (card && target === openedOf(card)) {
      boards.set(boardName(card), target.cloneNode(true));
      focusField(card);
    }
    if (target.id !== "console" && !target.matches(".clear-list")) return;
    restore();
    fillClear();
    if (!cards().length) lookAt("");
    drawLooking(cards(), colleagues);
  });

  /** A long list of clear groups comes after the rest of the page: what belongs into it waits until then. */
  function restore() {
    if (!place) return;
    for (const key of place.opened) if (cardNamed(key)) showBoard(cardNamed(key));
    putBack(kept);
    const isIn = place.wasOpen || cardNamed(place.key);
    if (isIn && (document.activeElement === document.body || cardOf(document.activeElement))) goBack(place, isDecided);
    if (isIn) place = null;
  }

  return {
    hear: (others) => drawLooking(cards(), (colleagues = others)),
    keeps: (element) => element.matches(TYPED) && Boolean(cardOf(element)),
    again: () => looking && say({ t: "look", at: looking }),
  };
}
