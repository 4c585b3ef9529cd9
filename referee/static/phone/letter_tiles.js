// The letters of the word as tiles; holding one marks it as a blank.
import { tileInWords } from "../common/board.js";
import { isBlank } from "../common/tiles.js";
import { fill, gettext } from "../common/text.js";

const HOLD_MS = 450;
const MOVE_TOLERANCE_PX = 12;

/** Fill `element` with the letters of a word; those that lie on the board (`fixed`) cannot be marked. */
export function letterButtons(element, word, fixed, values) {
  const key = JSON.stringify([word, fixed]);
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  const buttons = word.map((face, index) => letterButton(face, index, fixed[index], values));
  const focused = [...element.children].indexOf(document.activeElement);
  element.replaceChildren(...buttons);
  if (focused >= 0 && buttons[focused]) buttons[focused].focus();
}

function letterButton(face, index, fixed, values) {
  const button = document.createElement(fixed ? "span" : "button");
  button.className = `tile${isBlank(face) ? " blank" : ""}${fixed ? " fixed" : ""}`;
  button.dataset.length = String(face.length);
  button.innerHTML = '<span class="face"><b></b></span>';
  button.querySelector("b").textContent = face.toUpperCase();
  if (fixed) {
    button.setAttribute("role", "img");
    button.setAttribute("aria-label", fill(gettext("%(letter)s, on the board"), { letter: face.toUpperCase() }));
    return button;
  }
  button.type = "button";
  button.dataset.index = String(index);
  button.setAttribute("aria-pressed", String(isBlank(face)));
  button.setAttribute("aria-label", tileInWords(face, values));
  return button;
}

/**
 * Call `react(index, means)` for the letters in `element`: "mark" if one is held or activated from a keyboard, "tap" if
 * it is only touched.
 */
export function onLetters(element, react) {
  let held = null;
  const indexOf = (event) => {
    const button = event.target.closest("[data-index]");
    return button ? Number(button.dataset.index) : null;
  };
  const cancelHold = () => {
    if (held) clearTimeout(held.timer);
    held = null;
  };
  let marked = false;
  element.addEventListener("pointerdown", (event) => {
    cancelHold();
    marked = false;
    const index = indexOf(event);
    if (index === null) return;
    const timer = setTimeout(() => {
      marked = true;
      react(index, "mark");
    }, HOLD_MS);
    held = { timer, x: event.clientX, y: event.clientY };
  });
  element.addEventListener("pointermove", (event) => {
    if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) > MOVE_TOLERANCE_PX) cancelHold();
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(name, cancelHold);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("click", (event) => {
    const index = indexOf(event);
    if (index !== null && !marked) react(index, event.detail === 0 ? "mark" : "tap");
    marked = false;
  });
}
