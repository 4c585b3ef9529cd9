// The focus after a part of the desk is replaced: on the same control if it is still there, otherwise on the headline, so
// that a second Enter does not trigger the next step and a screen reader reads the new state.

const labelOf = (element) => element.textContent.trim();

function held(desk) {
  const here = document.activeElement;
  return desk.contains(here) && here !== desk ? { key: here.dataset.key, label: labelOf(here) } : null;
}

const sameIn = (desk, { key, label }) =>
  key && [...desk.querySelectorAll("[data-key]")].find((element) => element.dataset.key === key && labelOf(element) === label);

/** Keep the focus of the desk while htmx replaces its content. */
export function watchFocus(desk) {
  let lost = null;
  // A button is disabled while it waits for its answer, and has then lost the focus.
  document.body.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (detail.target === desk) lost = held(desk) || lost;
  });
  document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target === desk) lost = held(desk) || lost;
  });
  document.body.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target !== desk || !lost) return;
    if (document.activeElement === document.body) (sameIn(desk, lost) || desk.querySelector("h1"))?.focus({ preventScroll: true });
    lost = null;
  });
}
