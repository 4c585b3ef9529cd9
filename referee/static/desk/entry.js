// The line for paper slips: says how it is read while it is typed, hands in with Enter, never loses what was typed.
import { gettext } from "../common/text.js";

const WAIT_MS = 120;

/** Make the entry line live. */
export function watchEntry(form) {
  const line = form.querySelector("input[name=line]");
  const echo = form.querySelector("output");
  const resting = echo.textContent;
  let timer = null;
  let asked = 0;

  function say(sentence, kind) {
    echo.textContent = sentence;
    echo.className = kind;
  }

  async function ask() {
    const text = line.value.trim();
    const number = ++asked;
    if (!text) return say(resting, "");
    try {
      const answer = await fetch(`${form.dataset.echo}?line=${encodeURIComponent(text)}`);
      const read = await answer.json();
      if (number === asked) say(read.sentence, read.ok ? "good" : "");
    } catch {
      if (number === asked) say(gettext("No connection to the program."), "bad-text");
    }
  }

  async function handIn(event) {
    event.preventDefault();
    const text = line.value.trim();
    if (!text || form.dataset.busy) return;
    form.dataset.busy = "yes";
    clearTimeout(timer);
    asked += 1;
    try {
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" } });
      const done = await answer.json();
      say(done.sentence, done.ok ? "good" : "bad-text");
      if (done.ok && line.value.trim() === text) line.value = "";
    } catch {
      say(gettext("The slip could not be handed in: no connection. It stays in the line; press Enter again."), "bad-text");
    } finally {
      delete form.dataset.busy;
    }
  }

  document.body.addEventListener("multiplo:phase", () => !line.value.trim() && say(resting, ""));
  line.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  form.addEventListener("submit", handIn);
}
