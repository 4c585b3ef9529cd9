// The results of the search box by keyboard: the arrow keys go through them, Enter searches for a word that was found,
// and a place is shown on the small board while it has the focus.
import { drawBoard } from "../common/board.js";

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** The index after a step from `at` among `count` results; -1 is the search field above the first. */
export const next = (at, step, count) => Math.max(-1, Math.min(count - 1, at + step));

function showOn(box, hit) {
  const board = box.querySelector(".words-small-board [data-board]");
  if (!board || !hit?.dataset.ghosts) return;
  drawBoard(board, { ...JSON.parse(board.dataset.board), ghosts: JSON.parse(hit.dataset.ghosts) });
}

/** Activate the results in `box`; the search field searches by itself when it changes. */
export function watchHits(box) {
  const line = box.querySelector("input[name=q]");
  const hits = () => [...box.querySelectorAll(".hit")].filter((hit) => hit.checkVisibility());

  function ask(question) {
    line.value = question;
    line.focus();
    line.dispatchEvent(new Event("input", { bubbles: true }));
  }

  box.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const found = hits();
    const at = found.indexOf(event.target);
    if (!step || (event.target !== line && at < 0)) return;
    event.preventDefault();
    event.stopPropagation();
    const to = next(at, step, found.length);
    (to < 0 ? line : found[to]).focus();
  });
  box.addEventListener("click", (event) => {
    const hit = event.target.closest("[data-ask]");
    if (!hit || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ask(hit.dataset.ask);
  });
  box.addEventListener("focusin", (event) => showOn(box, event.target.closest(".hit")));
  // desk.js draws all boards again whenever a part of the page is replaced.
  const again = () => setTimeout(() => showOn(box, box.querySelector("[data-ghosts]:focus") ?? box.querySelector("[data-ghosts]")));
  document.body.addEventListener("htmx:afterSwap", again);
  again();
}
