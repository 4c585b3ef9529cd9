// The switch for the voice on desk and wall, and what makes it speak: the news of the page about turn, phase and clock.
import { MODES, Switch, Voice, marks, news } from "./voice.js";

const VOICES_AFTER_MS = 1500;
const COMPLAINS_FOR_MS = 15000;

/** Make the switch live. `hall` is told {turn, phase, left} by `multiplo:hall` events on the body. */
export function watchVoice(button, { speech, Utterance, storage }) {
  const line = document.getElementById("voice-line");
  const { source, language } = button.dataset;
  const kept = new Switch(storage);
  const voice = new Voice({ speech, Utterance, language, onBlocked: () => (line.textContent = button.dataset.blocked) });
  let before = null;
  let left = null;
  let calls = null;
  let over = null;

  const label = button.querySelector("span");

  function show() {
    label.textContent = button.dataset[kept.mode];
    button.setAttribute("aria-pressed", String(kept.mode !== "off"));
    line.textContent = "";
    if (kept.mode !== "off" && !voice.speaks) setTimeout(complain, VOICES_AFTER_MS);
  }

  function complain() {
    if (kept.mode === "off" || voice.speaks) return;
    line.textContent = button.dataset.none;
    setTimeout(() => line.textContent === button.dataset.none && (line.textContent = ""), COMPLAINS_FOR_MS);
  }

  async function fetchCalls() {
    try {
      const answer = await fetch(source, { headers: { Accept: "application/json" } });
      if (answer.ok) calls = await answer.json();
    } catch {
      // Without the program there is nothing to say; the page tells that the line is down.
    }
  }

  async function hear({ turn, phase, left: now }) {
    const was = before;
    const changed = !was || was.turn !== turn || was.phase !== phase;
    before = { turn, phase };
    if (kept.mode !== "off" && (changed || !calls)) {
      await fetchCalls();
      if (calls && !(phase === "closed" && over === turn)) voice.say(news(was, { turn, phase }, calls, kept.mode));
    }
    if (!changed && now !== null) voice.say(marks(left, now, calls, kept.mode));
    if (now !== null && now <= 0) over = turn;
    left = now;
  }

  document.body.addEventListener("multiplo:hall", ({ detail }) => hear(detail));
  button.addEventListener("click", () => {
    if (kept.turn() === MODES[0]) voice.hush();
    else fetchCalls();
    show();
  });
  document.addEventListener("keydown", () => line.textContent === button.dataset.blocked && (line.textContent = ""));
  if ("ownKey" in button.dataset) {
    document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
      if (key === button.dataset.key && !ctrlKey && !metaKey && !altKey) button.click();
    });
  }
  speech?.addEventListener?.("voiceschanged", show);
  show();
}

const button = document.getElementById("voice");
if (button) {
  watchVoice(button, { speech: window.speechSynthesis, Utterance: window.SpeechSynthesisUtterance, storage: localStorage });
}
