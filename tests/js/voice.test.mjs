import assert from "node:assert/strict";
import { test } from "node:test";

import { VoiceSwitch, Voice, dueCalls, announcements, voiceFor } from "../../referee/static/common/voice.js";

const CALLS = {
  turn: 4,
  phase: "running",
  rack: { language: "it", letters: "A, B, jolly", words: "A come Ancona, B come Bologna, jolly", time: "3 minutes" },
  move: [],
  clock: { 60: "1 minute left", 30: "30 seconds left", 5: "Raise the slips", 0: "Time is up" },
};
const PLACED = { ...CALLS, phase: "placed", rack: null, move: [{ text: "CARTE", language: "it" }, { text: "8, D, across", language: "" }] };
const VOICES = [
  { lang: "it-IT", localService: false, name: "far away" },
  { lang: "it_IT", localService: true, name: "here" },
  { lang: "en-GB", localService: true, name: "english" },
];
const texts = (sentences) => sentences.map(({ text }) => text);

class Utterance {
  constructor(text) {
    this.text = text;
  }
}

function speechWith(voices) {
  const spoken = [];
  return { spoken, getVoices: () => voices, speak: (utterance) => spoken.push(utterance), cancel: () => spoken.push("hush") };
}

function storage(kept = {}) {
  const setItem = (name, value) => {
    kept[name] = value;
  };
  return { getItem: (name) => kept[name] ?? null, setItem };
}

test("the switch is off until it is turned, goes round, and stays as it was left on this device", () => {
  const shelf = storage();
  const kept = new VoiceSwitch(shelf);
  assert.equal(kept.mode, "off");
  assert.equal(kept.next(), "letters");
  assert.equal(new VoiceSwitch(shelf).mode, "letters");
  assert.equal(kept.next(), "words");
  assert.equal(kept.next(), "off");
  assert.equal(new VoiceSwitch(storage({ "multiplo.voice": "loud" })).mode, "off");
});

test("a browser that keeps nothing says nothing", () => {
  const broken = { getItem: () => { throw new Error("no"); }, setItem: () => { throw new Error("no"); } };
  assert.equal(new VoiceSwitch(broken).next(), "off");
});

test("only voices of this device are taken, whatever way their language is written", () => {
  assert.equal(voiceFor(VOICES, "it").name, "here");
  assert.equal(voiceFor(VOICES.slice(0, 1), "it"), null);
  assert.equal(voiceFor(VOICES, "fr"), null);
});

test("the rack is said when its clock starts: as letters or with code words, then the time", () => {
  const drawn = { turn: 4, phase: "drawn" };
  const running = { turn: 4, phase: "running" };
  assert.deepEqual(texts(announcements(drawn, running, CALLS, "letters")), ["A, B, jolly", "3 minutes"]);
  assert.deepEqual(texts(announcements(drawn, running, CALLS, "words")), ["A come Ancona, B come Bologna, jolly", "3 minutes"]);
  assert.deepEqual(texts(announcements({ turn: 3, phase: "running" }, running, CALLS, "letters")), ["A, B, jolly", "3 minutes"]);
});

test("nothing is said by a voice that is off, on a page that has just loaded, or again after a pause", () => {
  const running = { turn: 4, phase: "running" };
  assert.deepEqual(announcements({ turn: 4, phase: "drawn" }, running, CALLS, "off"), []);
  assert.deepEqual(announcements(null, running, CALLS, "words"), []);
  assert.deepEqual(announcements({ turn: 4, phase: "paused" }, running, CALLS, "words"), []);
});

test("nothing is said of calls that are of another moment", () => {
  assert.deepEqual(announcements({ turn: 4, phase: "drawn" }, { turn: 5, phase: "running" }, CALLS, "words"), []);
});

test("the end of the time and the move are said once", () => {
  const closed = { ...CALLS, phase: "closed" };
  assert.deepEqual(texts(announcements({ turn: 4, phase: "running" }, { turn: 4, phase: "closed" }, closed, "letters")), ["Time is up"]);
  assert.deepEqual(announcements({ turn: 4, phase: "closed" }, { turn: 4, phase: "closed" }, closed, "letters"), []);
  assert.deepEqual(texts(announcements({ turn: 4, phase: "closed" }, { turn: 4, phase: "placed" }, PLACED, "letters")), ["CARTE", "8, D, across"]);
  assert.deepEqual(announcements({ turn: 4, phase: "placed" }, { turn: 4, phase: "placed" }, PLACED, "letters"), []);
});

test("the dueCalls of the clock are said as they pass, and only then", () => {
  assert.deepEqual(texts(dueCalls(60_400, 59_900, CALLS, "letters")), ["1 minute left"]);
  assert.deepEqual(texts(dueCalls(400, 0, CALLS, "letters")), ["Time is up"]);
  assert.deepEqual(dueCalls(59_900, 59_000, CALLS, "letters"), []);
  assert.deepEqual(dueCalls(null, 59_900, CALLS, "letters"), []);
  assert.deepEqual(dueCalls(60_400, 59_900, CALLS, "off"), []);
  assert.deepEqual(dueCalls(60_400, 59_900, null, "letters"), []);
});

test("a sentence is said by the voice of its language, else by that of the event", () => {
  const speech = speechWith(VOICES);
  new Voice({ speech, Utterance, language: "en" }).say([{ text: "A come Ancona", language: "it" }, { text: "3 minutes", language: "" }, { text: "ñ", language: "es" }]);
  assert.deepEqual(speech.spoken.map(({ text, voice }) => [text, voice.name]), [["A come Ancona", "here"], ["3 minutes", "english"], ["ñ", "english"]]);
});

test("without a voice for the event, or without speech at all, it stays quiet", () => {
  const speech = speechWith(VOICES.slice(0, 1));
  const voice = new Voice({ speech, Utterance, language: "it" });
  voice.say([{ text: "A", language: "it" }]);
  assert.equal(voice.canSpeak, false);
  assert.deepEqual(speech.spoken, []);
  const none = new Voice({ speech: undefined, Utterance, language: "it" });
  none.say([{ text: "A", language: "it" }]);
  none.stop();
  assert.equal(none.canSpeak, false);
});

test("a browser that wants a click first is told of", () => {
  const speech = speechWith(VOICES);
  let blocked = 0;
  const onBlocked = () => {
    blocked += 1;
  };
  new Voice({ speech, Utterance, language: "it", onBlocked }).say([{ text: "A", language: "" }]);
  speech.spoken[0].onerror({ error: "interrupted" });
  assert.equal(blocked, 0);
  speech.spoken[0].onerror({ error: "not-allowed" });
  assert.equal(blocked, 1);
});
