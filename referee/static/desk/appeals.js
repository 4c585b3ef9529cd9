// The queue of appeals: the number in the head of every page is asked for now and then; when it is another one, the page
// of the appeals fetches its queue anew, unless somebody is writing an answer in it, then when he has left the field.

/** Look after the queue; `count` is the number in the head, empty for none. */
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
