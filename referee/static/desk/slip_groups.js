// The queue of slips at the desk: the focused slip, its board, and what the other judges are looking at. Focus and typed
// text are restored when the page is updated. Decisions are made by the forms of the page.
import { drawPresence } from "./judge_presence.js";

const REPEAT_MS = 20000;
const ANNOUNCE_MS = 250;

const cards = () => [...document.querySelectorAll("#console [data-question]")];
const cardOf = (element) => element?.closest?.("[data-question]");
const cardNamed = (key) => cards().find((card) => card.dataset.question === key);
const openedOf = (card) => card.querySelector(".opened");
const TYPED = "input:not([type=hidden]), textarea, select";

/** Boards that were fetched, by slip and version: the same ones are needed after each update. */
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

/** The text typed in the queue, by form and field, to be restored after the page was fetched. */
function typedText() {
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

/** The position of the focus: the card, the field and the selection in its text, and the open cards after it. */
function focusPosition(card) {
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

function restoreFocus(place, isDecided, choose) {
  const same = cardNamed(place.key);
  const isDone = place.wasOpen && (!same || !("open" in same.dataset));
  const next = isDone && isDecided ? place.after.map(cardNamed).find(Boolean) : null;
  const card = next || same || place.after.map(cardNamed).find(Boolean);
  if (!card) return;
  choose(card);
  const fields = [...card.querySelectorAll(TYPED)];
  const field = card === same && place.field ? fields.find((it) => it.type !== "hidden" && nameOf(it) === place.field) : null;
  (field || card).focus({ preventScroll: card === same });
  if (field && Number.isInteger(place.range[0])) field.setSelectionRange(...place.range);
}

/** Put the typed text back into the fields that are still there. */
function restoreText(kept) {
  if (!kept.size) return;
  for (const field of document.querySelectorAll(`#console .queue :is(${TYPED})`)) {
    const value = kept.get(nameOf(field));
    if (value !== undefined) field.value = value;
  }
}

/** Put the line of a paper slip into the entry line, selected, to be typed again. */
function typeAgain(line) {
  const entry = document.getElementById("entry-line");
  entry.value = line;
  entry.focus();
  entry.select();
  entry.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Activate the queue. `send` sends a message to the server, `draw` draws the boards of the page.
 *
 * Returns `asked()`: the squares of the chosen slip for the board; `choose()`: choose the first slip to decide;
 * `showPresence(colleagues)`: show what the others look at; `keepsText(element)`: whether text typed there is restored
 * after an update; `announcePresence()`: send again what this judge looks at, after a reconnect.
 */
export function watchGroups(send, draw) {
  let viewed = "";
  let timer = null;
  let colleagues = [];
  let kept = new Map();
  let place = null;
  let isDecided = false;
  let focusIn = "";
  let chosen = "";

  /** Open a card and draw its slip on the board; without one, the card chosen before or the first to decide. */
  function choose(card = cardNamed(chosen) ?? cards().find((each) => "open" in each.dataset)) {
    chosen = card?.dataset.question ?? "";
    for (const each of cards()) each.toggleAttribute("data-chosen", each === card);
    if (card) showBoard(card);
    draw();
  }

  const askedOf = (card) => card?.querySelector("[data-asked]")?.dataset.asked;

  function setViewed(key) {
    if (key === viewed) return;
    viewed = key;
    clearTimeout(timer);
    timer = setTimeout(() => send({ t: "look", at: viewed }), ANNOUNCE_MS);
  }

  document.addEventListener("focusin", (event) => {
    const card = cardOf(event.target);
    // A judge who confirms a decision in the dialog still looks at its card.
    if (card) setViewed(card.dataset.question);
    else if (event.target.id === "entry-line") setViewed("");
    if (card) choose(card);
  });
  // Esc in a field, or closing the dialog, returns the focus to the card, where its keys work.
  document.addEventListener("keydown", ({ key, target }) => {
    const card = key === "Escape" && target.matches?.(TYPED) && cardOf(target);
    if (card) setTimeout(() => card.isConnected && card.focus());
  });
  document.addEventListener(
    "close",
    ({ target }) => target.matches("#preview dialog") && cardNamed(viewed)?.focus({ preventScroll: true }),
    true,
  );
  setInterval(() => viewed && send({ t: "look", at: viewed }), REPEAT_MS);

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens-group], [data-line]");
    if (!opener || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (opener.dataset.line !== undefined) return typeAgain(opener.dataset.line);
    const card = cardOf(opener);
    const opened = openedOf(card);
    if (opened.childElementCount) return void opened.replaceChildren();
    focusIn = card.dataset.question;
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
    const card = cardOf(document.activeElement) || cardNamed(viewed);
    place = card ? focusPosition(card) : null;
    isDecided = detail.requestConfig.verb !== "get";
    kept = isDecided ? new Map() : typedText();
  });
  document.body.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
    const card = cardOf(target);
    if (card && target === openedOf(card)) {
      boards.set(boardName(card), target.cloneNode(true));
      focusField(card);
      draw();
    }
    if (target.id === "preview") target.querySelector("dialog")?.showModal();
    if (target.id !== "console" && !target.matches(".clear-list")) return;
    choose();
    restore();
    if (!cards().length) setViewed("");
    drawPresence(cards(), colleagues);
  });

  /** Restore boards, text and focus; those in a long list of clear groups wait until the list has come. */
  function restore() {
    if (!place) return;
    for (const key of place.opened) if (cardNamed(key)) showBoard(cardNamed(key));
    restoreText(kept);
    const isIn = place.wasOpen || cardNamed(place.key);
    if (isIn && (document.activeElement === document.body || cardOf(document.activeElement))) restoreFocus(place, isDecided, choose);
    if (isIn) place = null;
  }

  return {
    asked: () => JSON.parse(askedOf(cardNamed(chosen)) ?? "[]"),
    choose,
    showPresence: (others) => {
      colleagues = others;
      drawPresence(cards(), colleagues);
    },
    keepsText: (element) => element.matches(TYPED) && Boolean(cardOf(element)),
    announcePresence: () => viewed && send({ t: "look", at: viewed }),
  };
}
