// The voice of the browser: what is said when, and by which voice of this device. Nothing goes over the network: voices
// that a service far away speaks with are left out.
import { callsBetween } from "./clock.js";

export const MODES = ["off", "letters", "words"];
const KEPT_AS = "multiplo.voice";

/** The position of the switch on this device, and a way to keep another one. */
export class Switch {
  constructor(storage) {
    this.storage = storage;
  }

  get mode() {
    try {
      const kept = this.storage.getItem(KEPT_AS);
      return MODES.includes(kept) ? kept : "off";
    } catch {
      return "off";
    }
  }

  /** Go to the next position, and tell which that is. */
  turn() {
    const next = MODES[(MODES.indexOf(this.mode) + 1) % MODES.length];
    try {
      this.storage.setItem(KEPT_AS, next);
    } catch {
      // A browser that keeps nothing: the switch stays where it is.
    }
    return this.mode;
  }
}

const begins = (tag, language) => tag.toLowerCase().replace("_", "-").split("-")[0] === language.toLowerCase().split("-")[0];

/** The voice of this device for a language; null without one. */
export const voiceFor = (voices, language) => voices.filter((voice) => voice.localService).find((voice) => begins(voice.lang, language)) ?? null;

const COUNTING = ["running", "paused"];

/**
 * What is to be said of a change from `before` to `now` ({turn, phase}, null at the start), by the calls of the server:
 * the rack when its clock starts, the end when it stops, the move when it is placed. Each is {text, language}.
 */
export function news(before, now, calls, mode) {
  if (mode === "off" || !before || calls.turn !== now.turn || calls.phase !== now.phase) return [];
  const same = before.turn === now.turn;
  if (now.phase === "running" && calls.rack && !(same && [...COUNTING, "closed"].includes(before.phase))) {
    const { rack } = calls;
    return [{ text: rack[mode], language: rack.language }, { text: rack.time, language: "" }];
  }
  if (now.phase === "closed" && same && COUNTING.includes(before.phase)) return [{ text: calls.clock[0], language: "" }];
  if (now.phase === "placed" && !(same && before.phase === "placed")) return calls.move;
  return [];
}

/** What is to be said while the clock runs from `before` to `after` milliseconds left. */
export function marks(before, after, calls, mode) {
  if (mode === "off" || !calls) return [];
  const due = callsBetween(before, after, Object.keys(calls.clock).map(Number));
  return due.slice(0, 1).map((seconds) => ({ text: calls.clock[seconds], language: "" }));
}

/** Says sentences one after the other with the voices of this device. */
export class Voice {
  /** `speech` is window.speechSynthesis, `Utterance` its SpeechSynthesisUtterance; `language` that of the event. */
  constructor({ speech, Utterance, language, onBlocked = () => {} }) {
    Object.assign(this, { speech, Utterance, language, onBlocked });
  }

  /** Whether this device can speak the language of the event by itself. */
  get speaks() {
    return Boolean(this.speech && voiceFor(this.speech.getVoices(), this.language));
  }

  /** Say them; a sentence in a language without a voice is said by that of the event. */
  say(sentences) {
    if (!this.speaks) return;
    const voices = this.speech.getVoices();
    for (const { text, language } of sentences) {
      const voice = (language && voiceFor(voices, language)) || voiceFor(voices, this.language);
      const utterance = new this.Utterance(text);
      Object.assign(utterance, { voice, lang: voice.lang, rate: 0.9 });
      utterance.onerror = ({ error }) => error === "not-allowed" && this.onBlocked();
      this.speech.speak(utterance);
    }
  }

  /** Say no more. */
  hush() {
    this.speech?.cancel();
  }
}
