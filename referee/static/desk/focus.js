// Where the focus goes when the part of the desk that had it is replaced: to the same control if it is still there,
// otherwise to the headline, so that Enter twice does not do the next step, and a screen reader reads what it is now.

const labelOf = (element) => element.textContent.trim();

function held(desk) {
  const here = document.activeElement;
  return desk.contains(here) && here !== desk ? { key: here.dataset.key, label: labelOf(here) } : null;
}

const sameIn = (desk, { key, label }) =>
  key && [...desk.querySelectorAll("[data-key]")].find((element) => element.dataset.key === key && labelOf(element) === label);

/** Look after the focus of the desk while htmx replaces what is in it. */
export function watchFocus(desk) {
  let lost = null;
  // A button that waits for its answer is disabled, and has lost the focus when the answer comes.
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
