// The browser's speech: what is spoken when, and with which voice of this device. Voices that need the network are not
// used.
import { callsBetween } from "./clock.js";

export const MODES = ["off", "letters", "words"];
const STORAGE_KEY = "multiplo.voice";

/** The mode of the voice on this device, kept in `storage`. */
export class VoiceSwitch {
  constructor(storage) {
    this.storage = storage;
  }

  get mode() {
    try {
      const kept = this.storage.getItem(STORAGE_KEY);
      return MODES.includes(kept) ? kept : "off";
    } catch {
      return "off";
    }
  }

  /** Switch to the next mode and return it. */
  next() {
    const next = MODES[(MODES.indexOf(this.mode) + 1) % MODES.length];
    try {
      this.storage.setItem(STORAGE_KEY, next);
    } catch {
      // No storage: the mode stays as it is.
    }
    return this.mode;
  }
}

const sameLanguage = (tag, language) => tag.toLowerCase().replace("_", "-").split("-")[0] === language.toLowerCase().split("-")[0];

/** The voice of this device for a language, or null. */
export const voiceFor = (voices, language) => voices.filter((voice) => voice.localService).find((voice) => sameLanguage(voice.lang, language)) ?? null;

const CLOCK_PHASES = ["running", "paused"];

/**
 * The sentences to speak when the state changes from `before` to `now` ({turn, phase}, null at the start): the rack when
 * its clock starts, the end when it stops, the move when it is placed. `calls` come from the server; each sentence is
 * {text, language}.
 */
export function announcements(before, now, calls, mode) {
  if (mode === "off" || !before || calls.turn !== now.turn || calls.phase !== now.phase) return [];
  const same = before.turn === now.turn;
  if (now.phase === "running" && calls.rack && !(same && [...CLOCK_PHASES, "closed"].includes(before.phase))) {
    const { rack } = calls;
    return [{ text: rack[mode], language: rack.language }, { text: rack.time, language: "" }];
  }
  if (now.phase === "closed" && same && CLOCK_PHASES.includes(before.phase)) return [{ text: calls.clock[0], language: "" }];
  if (now.phase === "placed" && !(same && before.phase === "placed")) return calls.move;
  return [];
}

/** The sentences to speak while the clock runs from `before` to `after` milliseconds left. */
export function dueCalls(before, after, calls, mode) {
  if (mode === "off" || !calls) return [];
  const due = callsBetween(before, after, Object.keys(calls.clock).map(Number));
  return due.slice(0, 1).map((seconds) => ({ text: calls.clock[seconds], language: "" }));
}

/** Speaks sentences one after the other with the voices of this device. */
export class Voice {
  /** `speech` is window.speechSynthesis, `Utterance` its SpeechSynthesisUtterance; `language` that of the event. */
  constructor({ speech, Utterance, language, onBlocked = () => {} }) {
    Object.assign(this, { speech, Utterance, language, onBlocked });
  }

  /** Whether this device has a voice for the language of the event. */
  get canSpeak() {
    return Boolean(this.speech && voiceFor(this.speech.getVoices(), this.language));
  }

  /** Speak them; a language without a voice is spoken by the voice of the event's language. */
  say(sentences) {
    if (!this.canSpeak) return;
    const voices = this.speech.getVoices();
    for (const { text, language } of sentences) {
      const voice = (language && voiceFor(voices, language)) || voiceFor(voices, this.language);
      const utterance = new this.Utterance(text);
      Object.assign(utterance, { voice, lang: voice.lang, rate: 0.9 });
      utterance.onerror = ({ error }) => error === "not-allowed" && this.onBlocked();
      this.speech.speak(utterance);
    }
  }

  /** Stop speaking. */
  stop() {
    this.speech?.cancel();
  }
}
