// The player's page: messages change the state, the state sets the screen, slips are sent.
import { ServerClock } from "../common/clock.js";
import { ReconnectingSocket } from "../common/reconnecting_socket.js";
import { fill, gettext } from "../common/text.js";
import { keepAwake } from "./wake_lock.js";
import { Appeals } from "./appeals.js";
import { problems, slipOf } from "./slip_check.js";
import { Countdown } from "./countdown.js";
import { DraftStore, draftOf, emptyDraft, isEmpty, sameText } from "./draft.js";
import { HttpPolling } from "./http_polling.js";
import { SlipQueue, frameOf, newId } from "./queue.js";
import { PageRefresh, isSafe } from "./page_refresh.js";
import { show } from "./screen.js";
import { shareCard } from "./share_card.js";
import { setText } from "./page_text.js";
import { showUnsent } from "./unsent.js";
import { moveFocusOnEnter, showProblems, showSending } from "./send_button.js";
import { SlipForm } from "./slip_form.js";
import { START, canWrite, isOut, ownSlip, playsNow, reduce, screenOf } from "./state.js";

const MOVED = 4001;
const NO_SEAT = 4401;
const EVENT_GONE = 4404;
const TRIES_BEFORE_POLLING = 2;
const PING_MS = 20000;
const ANSWER_MS = 6000;
const RESEND_MS = 5000;
const MEASURE_MS = 60000;
const ASLEEP_MS = 20000;
const RECALLED_IN = new Set(["running", "paused", "closed"]);

const byId = (id) => document.getElementById(id);
const { seat, version, room, socket, state: statePath, slip: slipPath, appeal, appeals: listPath } = document.body.dataset;
const queryOf = (address) => `?v=${version}&room=${encodeURIComponent(address)}`; // a front may choose the server by the room
const query = queryOf(room);
const storage = storageOrNone("localStorage");
const drafts = new DraftStore(seat, storage);
const queue = new SlipQueue(seat, storage);
const clock = new ServerClock();
const form = new SlipForm({ onChange: draftChanged });
const countdown = new Countdown({
  read: () => ({ view: state.view, screen: screen(), now: clock.now() }),
  onTick: (time) => {
    left = screen() === "running" ? time : null;
    showSlip();
  },
  onScreenChange: () => render(),
});
const connection = new ReconnectingSocket({
  path: `${socket}${query}`,
  onFrame: (frame) => receive(frame, null),
  onStatus: connectionChanged,
  isFinal: (code) => [MOVED, NO_SEAT, EVENT_GONE].includes(code),
});
const polling = new HttpPolling({ statePath: statePath + query, slipPath: slipPath + query, onFrame: receive, onStatus: pollingChanged });
const appeals = new Appeals({ seat, storage, path: appeal, listPath, now: () => clock.now(), onAnswer: appealAnswered });
const pageRefresh = new PageRefresh({ storage: storageOrNone("sessionStorage"), reload: () => location.reload() });

let state = START;
let draft = emptyDraft(0);
let editing = false;
let left = null;
let answerDue = null;
let resend = null;
let retry = null;
let hiddenSince = null;
let greeting = null;
let cut = { since: null, ms: 0 };

function storageOrNone(kind) {
  try {
    return window[kind];
  } catch {
    return { getItem: () => null, setItem: () => {} };
  }
}

const screen = () => screenOf(state, clock.now());

function appealAnswered() {
  askForResults();
  render();
}

// The network

function connectionChanged(status, failures) {
  clearTimeout(answerDue);
  measureCut(status);
  if (status === "online") measure();
  if (status === "offline" && failures >= TRIES_BEFORE_POLLING) polling.start();
  if (status === "online" || status === "ended") polling.stop();
  if (status === "ended" && failures === MOVED) apply({ t: "moved" });
  else if (!polling.running) apply({ t: "status", status, failures });
}

/** Add up how long there was no connection in this turn. */
function measureCut(status) {
  const now = performance.now();
  if (status === "offline" && cut.since === null) cut = { ...cut, since: now };
  if ((status === "online" || status === "polling") && cut.since !== null) cut = { since: null, ms: cut.ms + now - cut.since };
}

const cutMs = () => cut.ms + (cut.since === null ? 0 : performance.now() - cut.since);

function pollingChanged(status) {
  measureCut(status);
  apply({ t: "status", status, failures: state.failures });
  if (status === "polling") flush();
}

/** `sent`: when the request went out that this message answers, for a message that was polled. */
function receive(frame, sent) {
  const take = { pong: handlePong, ack: handleAck, refused: handleRefusal }[frame.t];
  if (take) return take(frame);
  if (frame.t === "state") updateClock(frame.now, sent);
  if (frame.t === "outdated") pageRefresh.request(frame.v);
  const { seq } = state;
  apply(frame);
  if (frame.t === "hello") followRoom(frame.room);
  if (frame.t === "hello") greeting = frame;
  if (frame.t === "hello") flush();
  if (frame.t === "hello" && appeals.queue.waiting.length) appeals.flush();
  if (frame.t === "state" && greeting) compareGreeting();
  if (state.seq !== seq && isOut(state)) askForResults();
  return undefined;
}

/** After a move to another room, use the addresses by which a front finds its server. */
function followRoom(address) {
  const present = queryOf(address);
  Object.assign(polling, { statePath: statePath + present, slipPath: slipPath + present });
  connection.move(`${socket}${present}`);
}

function updateClock(now, sent) {
  if (sent !== null) clock.exchange(sent, now);
  else if (clock.hint(now)) measure();
}

/** Compare the greeting with the first snapshot: a server restored from a backup may have lost the slip. */
function compareGreeting() {
  const { turn, slip } = greeting;
  greeting = null;
  if (turn !== state.view.turn || !RECALLED_IN.has(state.view.phase) || !queue.recall(state.view, slip)) return;
  apply({ t: "lost" });
  flush();
}

function handlePong(frame) {
  clearTimeout(answerDue);
  if (clock.exchange(frame.c, frame.now)) ping();
  else countdown.tick();
}

function handleAck(frame) {
  const slip = queue.acknowledged(frame.id, frame.version, state.view);
  if (slip) apply({ ...frame, slip });
}

/** A refusal with `retry_ms` only means "not now": the slip stays in the queue. */
function handleRefusal(frame) {
  if (frame.why === "no_seat") apply({ t: "status", status: "ended", failures: state.failures });
  else if (frame.retry_ms !== undefined) sendLater(frame);
  else if (queue.refused(frame.id)) apply(frame);
}

function sendLater({ id, retry_ms: wait }) {
  queue.postponed(id);
  clearTimeout(retry);
  retry = setTimeout(flush, wait);
}

/** The server sends results after each turn; a player who is out, or whose appeal was answered, asks for them. */
const askForResults = () => connection.send({ t: "me" });

function ping() {
  if (!connection.send({ t: "ping", c: performance.now(), rtt: clock.trip })) return;
  clearTimeout(answerDue);
  answerDue = setTimeout(() => connection.restart(), ANSWER_MS);
}

function measure() {
  clock.remeasure();
  ping();
}

/** Send all waiting slips, oldest first. A slip without an answer means that the connection is dead. */
function flush() {
  clearTimeout(resend);
  const hasSent = queue.sendAll((slip) => connection.send(frameOf(slip)) || polling.send(frameOf(slip)));
  if (hasSent) resend = setTimeout(() => queue.waiting.length && connection.restart(), RESEND_MS);
}

// The state and the screen

function apply(event) {
  const turn = state.view ? state.view.turn : null;
  state = reduce(state, event);
  if (event.t === "count" && screen() !== "lobby") return;
  const newTurn = state.view !== null && state.view.turn !== turn;
  if (newTurn) beginTurn();
  if (newTurn || event.t === "hello") restoreFromReceipt();
  render();
}

function beginTurn() {
  draft = drafts.load(state.view.turn);
  editing = false;
  cut = { ...cut, ms: 0 };
}

/** Show on a new phone the slip that was sent from the old one. */
function restoreFromReceipt() {
  const slip = ownSlip(state);
  if (slip && isEmpty(draft) && slip.source === "phone") draft = draftOf(slip);
}

function render() {
  const now = screen();
  const last = byId("main").dataset.screen;
  show(state, now);
  showUnsent(state, now, draft, { waiting: queue.of(draft.turn), cutMs: cutMs() });
  appeals.show(state, now);
  if (now !== last) screenChanged(now, last);
  if (now !== "running") left = null;
  showSlip();
  countdown.tick();
  const { waiting } = queue;
  if (state.view && isSafe({ waiting, draft, slip: ownSlip(state), writable: canWrite(now) })) pageRefresh.reloadIfWanted();
}

/** Show the form, or the slip that counts. */
function showSlip() {
  const now = screen();
  const writable = canWrite(now) && playsNow(state);
  const settled = showSending(state, draft, { waiting: queue.of(draft.turn), editing, left });
  if (state.view) form.show(state.view, draft, { writable: writable && !settled, laid: writable || now === "closed" });
}

/** Scroll to the top of a new screen; a pause does not count as one. */
function screenChanged(now, last) {
  keepAwake(canWrite(now) || now === "drawn" || now === "lobby");
  if (now === "paused") setText("calls", gettext("The clock is paused. You can go on writing."));
  if (canWrite(now) && canWrite(last)) return;
  window.scrollTo(0, 0);
  if (now === "running") setText("calls", fill(gettext("Turn %(turn)s has begun."), { turn: state.view.turn }));
}

// The slip

function draftChanged(next) {
  draft = next;
  drafts.save(draft);
  showProblems({});
  state = reduce(state, { t: "edited" });
  showSending(state, draft, { waiting: queue.of(draft.turn), editing, left });
}

function submitSlip() {
  if (!canWrite(screen()) || !playsNow(state)) return;
  const wrong = problems(draft, state.view);
  showProblems(wrong);
  if (Object.keys(wrong).length) return;
  editing = false;
  send();
}

/** Send the draft; after the close the server stores it as too late, and the judge decides. */
function send() {
  const slip = slipOf(draft, state.view.notation, newId(), Math.round(clock.now()));
  if (document.activeElement?.matches("input")) document.activeElement.blur();
  const { ref, score } = draftOf(slip);
  draft = { ...draft, ref, score };
  drafts.save(draft);
  if (!isSent(slip)) queue.put(slip);
  flush();
  render();
}

/** Whether this slip is being sent already, or is the one that counts: a second click sends nothing. */
function isSent(slip) {
  const newest = queue.of(slip.turn) || ownSlip(state);
  return newest !== null && sameText(draftOf(newest), draftOf(slip));
}

byId("change").addEventListener("click", () => {
  editing = true;
  if (isEmpty(draft)) draft = draftOf(ownSlip(state));
  showSlip();
  byId("word").focus({ preventScroll: true });
});
byId("send-late").addEventListener("click", send);
byId("card-share").addEventListener("click", shareCard);
byId("slip").addEventListener("submit", (event) => {
  event.preventDefault();
  submitSlip();
});
moveFocusOnEnter();

// The phone itself

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") {
    hiddenSince = Date.now();
    return;
  }
  if (hiddenSince !== null && Date.now() - hiddenSince > ASLEEP_MS) connection.restart();
  connection.openNow();
  measure();
  countdown.tick();
});
window.addEventListener("online", () => connection.reconnect());
window.addEventListener("offline", () => connection.restart());
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  connection.restart();
  connection.openNow();
});
setInterval(ping, PING_MS);
setInterval(measure, MEASURE_MS);

connection.open();
render();
