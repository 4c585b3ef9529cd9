// The player's page: what comes over the network becomes state, state becomes the screen, slips go out.
import { ServerClock } from "../common/clock.js";
import { Link } from "../common/link.js";
import { fill, gettext } from "../common/text.js";
import { keepAwake } from "./alive.js";
import { Appeals } from "./appeals.js";
import { problems, slipOf } from "./check.js";
import { Countdown } from "./countdown.js";
import { DraftShelf, draftOf, emptyDraft, isEmpty, sameText } from "./draft.js";
import { Poll } from "./poll.js";
import { SlipQueue, frameOf, newId } from "./queue.js";
import { Renewal, losesNothing } from "./renewal.js";
import { setText, show } from "./screen.js";
import { enterGoesOn, showProblems, showSending } from "./sending.js";
import { SlipForm } from "./slipform.js";
import { START, canWrite, ownSlip, reduce, screenOf } from "./state.js";

const MOVED = 4001;
const NO_SEAT = 4401;
const EVENT_GONE = 4404;
const TRIES_BEFORE_POLLING = 2;
const PING_MS = 20000;
const ANSWER_MS = 6000;
const RESEND_MS = 5000;
const MEASURE_MS = 60000;
const ASLEEP_MS = 20000;
const ASK_WITHIN_MS = 800;
const ASK_OF_A_PLAYER_MS = 0.6;
const JUDGE_FIRST_MS = 1000; // after the close the server judges: the desk has the verdicts before phones ask
const RECALLED_IN = new Set(["running", "paused", "closed"]);
const RESULTS_IN = new Set(["closed", "placed", "finished"]);

const byId = (id) => document.getElementById(id);
const { seat, version, socket, state: statePath, slip: slipPath, appeal, appeals: listPath } = document.body.dataset;
const storage = storageOrNothing("localStorage");
const shelf = new DraftShelf(seat, storage);
const queue = new SlipQueue(seat, storage);
const clock = new ServerClock();
const form = new SlipForm({ onChange: edited });
const countdown = new Countdown({
  read: () => ({ view: state.view, screen: screen(), now: clock.now() }),
  onTurnOfScreen: () => render(),
});
const link = new Link({
  path: `${socket}?v=${version}`,
  onFrame: (frame) => receive(frame, null),
  onStatus: connection,
  isFinal: (code) => [MOVED, NO_SEAT, EVENT_GONE].includes(code),
});
const poll = new Poll({ statePath: `${statePath}?v=${version}`, slipPath, onFrame: receive, onStatus: polled });
const appeals = new Appeals({ seat, storage, path: appeal, listPath, now: () => clock.now(), answered: () => (link.send({ t: "me" }), render()) });
const renewal = new Renewal({ storage: storageOrNothing("sessionStorage"), reload: () => location.reload() });

let state = START;
let draft = emptyDraft(0);
let answerDue = null;
let resend = null;
let asking = null;
let hiddenSince = null;
let greeting = null;

function storageOrNothing(kind) {
  try {
    return window[kind];
  } catch {
    return { getItem: () => null, setItem: () => {} };
  }
}

const screen = () => screenOf(state, clock.now());

// The network

function connection(status, failures) {
  clearTimeout(answerDue);
  if (status === "online") measure();
  if (status === "offline" && failures >= TRIES_BEFORE_POLLING) poll.start();
  if (status === "online" || status === "ended") poll.stop();
  if (status === "ended" && failures === MOVED) apply({ t: "moved" });
  else if (!poll.running) apply({ t: "status", status, failures });
}

function polled(status) {
  apply({ t: "status", status, failures: state.failures });
  if (status === "polling") flush();
}

/** `sent`: when the request went out that this message answers, for a message that was polled. */
function receive(frame, sent) {
  const take = { pong: ponged, ack: acknowledged, refused }[frame.t];
  if (take) return take(frame);
  if (frame.t === "state") tellTime(frame.now, sent);
  if (frame.t === "outdated") renewal.told(frame.v);
  const { seq } = state;
  apply(frame);
  if (frame.t === "hello") greeting = frame;
  if (frame.t === "hello") flush();
  if (frame.t === "hello" && appeals.queue.waiting.length) appeals.flush();
  if (frame.t === "state" && greeting) compare();
  if (state.seq !== seq && RESULTS_IN.has(state.view.phase)) askForResults();
  return undefined;
}

function tellTime(now, sent) {
  if (sent !== null) clock.exchange(sent, now);
  else if (clock.hint(now)) measure();
}

/** After a greeting the first picture tells which turn it was about: a server from a backup may have lost the slip. */
function compare() {
  const { turn, slip } = greeting;
  greeting = null;
  if (turn !== state.view.turn || !RECALLED_IN.has(state.view.phase) || !queue.recall(state.view, slip)) return;
  apply({ t: "lost" });
  flush();
}

function ponged(frame) {
  clearTimeout(answerDue);
  if (clock.exchange(frame.c, frame.now)) ping();
  else countdown.tick();
}

function acknowledged(frame) {
  const slip = queue.acknowledged(frame.id, frame.version, state.view);
  if (slip) apply({ ...frame, slip });
}

/** A refusal with `retry_ms` only means "not now": the slip stays in the queue. */
function refused(frame) {
  if (frame.why === "no_seat") apply({ t: "status", status: "ended", failures: state.failures });
  else if (frame.retry_ms !== undefined) setTimeout(flush, frame.retry_ms);
  else if (queue.refused(frame.id)) apply(frame);
}

/** Results are asked for, each phone at its own moment: a hall does not want them all in the same one. */
function askForResults() {
  clearTimeout(asking);
  const within = Math.max(ASK_WITHIN_MS, state.view.players * ASK_OF_A_PLAYER_MS);
  const first = state.view.phase === "closed" ? JUDGE_FIRST_MS : 0;
  asking = setTimeout(() => link.send({ t: "me" }), first + Math.random() * within);
}

function ping() {
  if (!link.send({ t: "ping", c: performance.now(), rtt: clock.trip })) return;
  clearTimeout(answerDue);
  answerDue = setTimeout(() => link.restart(), ANSWER_MS);
}

function measure() {
  clock.remeasure();
  ping();
}

/** Send what waits. A slip without an answer means that the line is dead, whatever the browser believes. */
function flush() {
  clearTimeout(resend);
  const sent = queue.waiting.map((slip) => link.send(frameOf(slip)) || poll.send(frameOf(slip)));
  if (sent.some(Boolean)) resend = setTimeout(() => queue.waiting.length && link.restart(), RESEND_MS);
}

// The state and the screen

function apply(event) {
  const turn = state.view ? state.view.turn : null;
  state = reduce(state, event);
  if (event.t === "count" && screen() !== "lobby") return;
  const newTurn = state.view !== null && state.view.turn !== turn;
  if (newTurn) draft = shelf.find(state.view.turn);
  if (newTurn || event.t === "hello") restoreFromReceipt();
  render();
}

/** A phone that comes new to the table shows what was sent from the old one. */
function restoreFromReceipt() {
  const slip = ownSlip(state);
  if (slip && isEmpty(draft) && slip.source === "phone") draft = draftOf(slip);
}

function render() {
  const now = screen();
  const last = byId("main").dataset.screen;
  show(state, now);
  appeals.show(state, now);
  if (now !== last) entered(now, last);
  if (state.view) form.show(state.view, draft, canWrite(now));
  showSending(state, draft, queue.of(draft.turn));
  countdown.tick();
  const { waiting } = queue;
  if (state.view && losesNothing({ waiting, draft, slip: ownSlip(state), writable: canWrite(now) })) renewal.attempt();
}

/** A new screen begins at its top; a pause is none. */
function entered(now, last) {
  keepAwake(canWrite(now) || now === "drawn" || now === "lobby");
  if (canWrite(now) && canWrite(last)) return;
  window.scrollTo(0, 0);
  if (now === "running") setText("calls", fill(gettext("Turn %(turn)s has begun."), { turn: state.view.turn }));
}

// The slip

function edited(next) {
  draft = next;
  shelf.keep(draft);
  showProblems({});
  state = reduce(state, { t: "edited" });
  showSending(state, draft, queue.of(draft.turn));
}

function handIn() {
  if (!canWrite(screen())) return;
  const wrong = problems(draft, state.view);
  showProblems(wrong);
  if (Object.keys(wrong).length) return;
  const slip = slipOf(draft, state.view.notation, newId(), Math.round(clock.now()));
  if (document.activeElement.matches("input")) document.activeElement.blur();
  const { ref, score } = draftOf(slip);
  draft = { ...draft, ref, score };
  shelf.keep(draft);
  if (!isSent(slip)) queue.put(slip);
  flush();
  render();
}

/** Whether this very slip is on its way already, or is the one that counts: a second click is none. */
function isSent(slip) {
  const newest = queue.of(slip.turn) || ownSlip(state);
  return newest !== null && sameText(draftOf(newest), draftOf(slip));
}

byId("slip").addEventListener("submit", (event) => {
  event.preventDefault();
  handIn();
});
enterGoesOn();

// The phone itself

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return void (hiddenSince = Date.now());
  if (hiddenSince !== null && Date.now() - hiddenSince > ASLEEP_MS) link.restart();
  link.hurry();
  measure();
  return countdown.tick();
});
window.addEventListener("online", () => link.renew());
window.addEventListener("offline", () => link.restart());
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  link.restart();
  link.hurry();
});
setInterval(ping, PING_MS);
setInterval(measure, MEASURE_MS);

link.open();
render();
