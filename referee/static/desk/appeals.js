// The queue of appeals. Every page polls the number of open appeals; when it changes, the page of the appeals fetches its
// queue again, or, while somebody writes an answer in it, when they have left the field.

/** Keep the queue up to date; `count` is the number in the header, empty for none. */
export function watchAppeals(queue, count) {
  const written = () => queue.contains(document.activeElement) || [...queue.querySelectorAll("input")].some(isFilled);
  let shown = queue.querySelectorAll(".appeal").length;
  let stale = false;
  const refresh = () => {
    if (stale && !written()) window.htmx.ajax("GET", location.href, { target: queue, swap: "innerHTML" });
    stale = stale && written();
  };
  count.addEventListener("htmx:afterSwap", () => {
    const told = Number(count.textContent.replace(/\D/g, ""));
    stale ||= told !== shown;
    shown = told;
    refresh();
  });
  queue.addEventListener("focusout", () => setTimeout(refresh, 150));
}

const isFilled = (input) => input.type !== "hidden" && input.value !== input.defaultValue;
