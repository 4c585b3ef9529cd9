// The judge's search box for words: opens with its key or link, keeps the last search, closes with Esc.
import { watchHits } from "./search_results.js";

/** Let the link open the box instead of its own page. */
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
  // The page's own Esc leaves a field; here Esc closes the box, which the browser does.
  dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.stopPropagation());
}
