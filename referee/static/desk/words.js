// The judge's search box for words: opens with its key or link, keeps the last question, closes with Esc.
import { watchHits } from "./word_hits.js";

/** Let the link open the box instead of the page of its own. */
export function watchWords(dialog) {
  const line = dialog.querySelector("input[name=q]");
  watchHits(dialog);
  document.querySelector("[data-opens=words]").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!dialog.open) dialog.showModal();
    line.focus();
    line.select();
  });
  // The page's own Esc only leaves a field; here it closes the box, as the browser does by itself.
  dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.stopPropagation());
}
