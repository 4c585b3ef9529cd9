/** Contents of a `details` element that are fetched when it is opened, in place of a link with `data-contents`. */

/** When the server does not answer, which desk.js says, the link stays: opening the element again repeats the request. */
function fill({ target: details }) {
  const link = details.open && details.querySelector("a[data-contents]");
  if (!link) return;
  window.htmx.ajax("GET", link.getAttribute("href"), { target: link.parentElement, swap: "innerHTML" }).catch(() => {});
}

export const watchFolds = () => document.addEventListener("toggle", fill, true);
