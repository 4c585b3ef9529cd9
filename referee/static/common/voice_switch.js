// The button that switches the voice on desk and wall, and the events of the page that make it speak.
import { MODES, VoiceSwitch, Voice, dueCalls, announcements } from "./voice.js";

const VOICES_AFTER_MS = 1500;
const REPORT_MS = 15000;

/** Activate the button; `multiplo:game-state` events on the body carry {turn, phase, left}. */
export function watchVoice(button, { speech, Utterance, storage }) {
  const line = document.getElementById("voice-line");
  const { source, language } = button.dataset;
  const setting = new VoiceSwitch(storage);
  const voice = new Voice({ speech, Utterance, language, onBlocked: () => say(button.dataset.blocked) });
  let before = null;
  let left = null;
  let calls = null;
  let over = null;

  const label = button.querySelector("span");

  function say(text) {
    line.textContent = text;
  }

  /** Remove a text from the line if it is still there. */
  function unsay(text) {
    if (line.textContent === text) say("");
  }

  function show() {
    label.textContent = button.dataset[setting.mode];
    button.setAttribute("aria-pressed", String(setting.mode !== "off"));
    say("");
    if (setting.mode !== "off" && !voice.canSpeak) setTimeout(reportNoVoice, VOICES_AFTER_MS);
  }

  function reportNoVoice() {
    if (setting.mode === "off" || voice.canSpeak) return;
    say(button.dataset.none);
    setTimeout(() => unsay(button.dataset.none), REPORT_MS);
  }

  async function fetchCalls() {
    try {
      const answer = await fetch(source, { headers: { Accept: "application/json" } });
      if (answer.ok) calls = await answer.json();
    } catch {
      // No connection: the page shows it, and nothing is spoken.
    }
  }

  async function update({ turn, phase, left: now }) {
    const was = before;
    const changed = !was || was.turn !== turn || was.phase !== phase;
    before = { turn, phase };
    if (setting.mode !== "off" && (changed || !calls)) {
      await fetchCalls();
      if (calls && !(phase === "closed" && over === turn)) voice.say(announcements(was, { turn, phase }, calls, setting.mode));
    }
    if (!changed && now !== null) voice.say(dueCalls(left, now, calls, setting.mode));
    if (now !== null && now <= 0) over = turn;
    left = now;
  }

  document.body.addEventListener("multiplo:game-state", ({ detail }) => update(detail));
  button.addEventListener("click", () => {
    if (setting.next() === MODES[0]) voice.stop();
    else fetchCalls();
    show();
  });
  document.addEventListener("keydown", () => unsay(button.dataset.blocked));
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
