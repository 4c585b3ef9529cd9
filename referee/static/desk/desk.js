// The judge's desk in the browser: draws boards, counts the clock down, receives messages, handles the keys. The server
// renders what the desk shows; this module decides when to fetch it.
import { drawBoard, drawRack } from "../common/board.js";
import { ServerClock, callsBetween, display, remaining, untilNextSecond, urgency } from "../common/clock.js";
import { publishGameState } from "../common/game_state.js";
import { ReconnectingSocket } from "../common/reconnecting_socket.js";
import { fill, gettext, ngettext } from "../common/text.js";
import "../common/voice_switch.js";
import "./status_polling.js";
import { watchAppeals } from "./appeals.js";
import { watchBackup } from "./backup.js";
import { watchEntry } from "./paper_line.js";
import { watchFolds } from "./fold_contents.js";
import { watchFocus } from "./focus.js";
import { watchGroups } from "./slip_groups.js";
import { watchKeys } from "./keys.js";
import { watchQuestions } from "./questions.js";
import { watchWords } from "./search_box.js";
import { beep, callText } from "./clock_calls.js";

const serverClock = new ServerClock();
const desk = document.getElementById("console");
let shown = null;
let phase = null;
let timer = null;

const main = () => document.querySelector("#console .main");

function viewOf(element) {
  const { phase, deadline, remaining: left } = element.dataset;
  return { phase, deadline: deadline ? Number(deadline) : null, remaining_ms: left ? Number(left) : 0 };
}

function drawAll() {
  for (const element of document.querySelectorAll("[data-board]")) {
    drawBoard(element, { ...JSON.parse(element.dataset.board), asked: element.closest(".col-board") ? groups?.asked() : [] });
  }
  for (const element of document.querySelectorAll("[data-rack]")) {
    drawRack(element, element.dataset.rack, JSON.parse(element.dataset.values));
  }
}

function tick() {
  clearTimeout(timer);
  const element = main();
  const face = document.getElementById("clock");
  if (!element) return;
  const view = viewOf(element);
  const turn = Number(element.dataset.turn);
  if (view.phase !== "running" && view.phase !== "paused") {
    shown = null;
    return publishGameState(turn, view.phase, null);
  }
  if (!face) return;
  const left = remaining(view, serverClock.now());
  const calls = JSON.parse(element.dataset.calls);
  face.textContent = display(left);
  face.className = `clock ${urgency(left, calls)}`;
  for (const call of callsBetween(shown, left, calls)) announce(call);
  shown = left;
  publishGameState(turn, view.phase, left);
  if (view.phase === "running") timer = setTimeout(tick, Math.min(untilNextSecond(left) + 5, 500));
}

function announce(seconds) {
  const place = document.getElementById("call");
  if (place) place.textContent = callText(seconds);
  beep();
}

/** Whether a question waits for its answer. */
const asks = () => document.querySelector("#question[open]") !== null;

/** Whether somebody types at the desk: the page is then updated when they leave the field. */
const typing = () =>
  asks() ||
  desk.contains(document.activeElement) && document.activeElement.matches("input, textarea, select");

let requests = 0;
let stale = false;

/** Fetch the desk, or mark it stale while a request is under way: its answer may already be the new state. */
function refresh() {
  stale = requests > 0 || (typing() && !groups.keepsText(document.activeElement));
  if (!stale) window.htmx.ajax("GET", desk.dataset.main, { target: "#console", swap: "innerHTML" });
}

/**
 * Whether this answer would replace a field in which somebody has begun to type, or the form whose question is open:
 * htmx sends no form that is not in the document any more.
 */
function wouldInterrupt({ target, requestConfig }) {
  if (target !== desk) return false;
  return asks() || (requestConfig.verb === "get" && typing() && !groups.keepsText(document.activeElement));
}

const isNews = ({ seq, view }) => String(seq) !== main()?.dataset.seq || view?.phase !== main()?.dataset.phase;
let newest = null;
let newestReview = 0;
const hasUnshownNews = () => (newest && isNews(newest)) || newestReview > Number(main()?.dataset.review ?? newestReview);

function refreshIfStale() {
  if (!stale) return;
  if (hasUnshownNews()) refresh();
  else stale = false;
}

function receive(frame) {
  if (frame.t === "state" && serverClock.hint(frame.now)) measureAnew();
  if (frame.t === "pong") return void (serverClock.exchange(frame.c, frame.now) && measure());
  if (frame.t === "count") return count(frame);
  if (frame.t === "alarm") return alarm(frame);
  if (frame.t === "looking") return groups.showPresence(frame.at);
  if (frame.t === "looked") {
    newestReview = frame.look;
    if (hasUnshownNews()) refresh();
  }
  if (frame.t !== "state") return;
  newest = frame;
  if (isNews(frame)) refresh();
}

function count(frame) {
  const write = (id, text) => {
    const element = document.getElementById(id);
    if (element) element.textContent = text;
  };
  write("slips-in", frame.slips_in);
  write("players-in", frame.players);
  const missing = document.getElementById("missing");
  if (missing && frame.missing) {
    const before = missing.childElementCount;
    missing.replaceChildren(...frame.missing.map((table) => Object.assign(document.createElement("span"), { textContent: table })));
    showMissing(before, frame.missing.length);
  }
  announceSlips();
}

/** Keep the button that closes the turn true: its note, its question, and whether a slip is missing. */
function showMissing(before, left) {
  if ((before === 0) !== (left === 0)) return refresh();
  const note = document.querySelector(".head-actions .wait small");
  if (!note || !left) return;
  note.textContent = fill(ngettext("%(n)s slip missing", "%(n)s slips missing", left), { n: left });
  const form = note.closest("form");
  const asked = form.getAttribute("hx-confirm");
  const text = ngettext(
    "The time is not up, and %(n)s slip is missing. Whoever has no slip gets 0.",
    "The time is not up, and %(n)s slips are missing. Whoever has no slip gets 0.",
    left,
  );
  form.setAttribute("hx-confirm", fill(text, { n: left }));
  const open = document.getElementById("question-text");
  if (open.textContent === asked) open.textContent = form.getAttribute("hx-confirm");
}

/** Show the chosen move on the button that places it. */
function showChoice({ target }) {
  if (!target.matches?.("input[name=move]")) return;
  const label = document.getElementById("place-label");
  label.textContent = fill(label.dataset.text, { move: target.dataset.move });
  document.getElementById("place-why").textContent = target.dataset.why;
}

/** Tell the line for paper slips (paper_line.js) that the missing tables may have changed. */
const announceSlips = () => document.body.dispatchEvent(new CustomEvent("multiplo:slips"));

function alarm({ kind, text }) {
  document.getElementById("connection-status").textContent = text || "";
  if (kind.startsWith("backup")) refreshBackup();
}

function measure() {
  connection.send({ t: "ping", c: performance.now() });
}

function measureAnew() {
  serverClock.remeasure();
  measure();
}

const NO_SEAT = 4401;

/** Reload the page, because this desk has lost its role or has another one; the new page says why. */
function closeDesk() {
  if (performance.now() > 5000) return void location.reload();
  document.getElementById("connection-status").textContent = gettext("This desk is closed: load the page again, or ask the director.");
}

function status(state) {
  if (state === "ended") return closeDesk();
  document.getElementById("connection-status").textContent =
    state === "online" || state === "connecting" ? "" : gettext("No connection to the server. Trying again …");
  if (state !== "online") return;
  measureAnew();
  groups.announcePresence();
  if (wasOnline) refresh();
  wasOnline = true;
}

function showNotices({ detail }) {
  const lines = detail.notices.map(({ kind, text }) =>
    Object.assign(document.createElement("p"), { className: `notice ${kind}`, textContent: text, role: kind === "error" ? "alert" : null }),
  );
  document.getElementById("notices").replaceChildren(...lines);
}

let connection = null;
let wasOnline = false;
let groups = null;
let refreshBackup = null;

function start() {
  drawAll();
  document.body.addEventListener("notices", showNotices);
  let open = [];
  document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (wouldInterrupt(detail)) {
      detail.shouldSwap = false;
      stale = true;
      return;
    }
    open = [...document.querySelectorAll("details[open][id]")].map((element) => element.id);
  });
  document.body.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target !== desk) return void (detail.target.id !== "arrivals-of-slips" && drawAll());
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    drawAll();
    tick();
    announceSlips();
    if (phase !== main()?.dataset.phase) document.body.dispatchEvent(new CustomEvent("multiplo:phase"));
    phase = main()?.dataset.phase;
  });
  document.body.addEventListener("focusout", () => setTimeout(refreshIfStale, 150));
  document.body.addEventListener("htmx:beforeRequest", ({ detail }) => {
    requests += 1;
    // htmx fires no event for the answer to a button that has been replaced meanwhile; loadend always comes.
    detail.xhr.addEventListener("loadend", () => {
      requests -= 1;
      refreshIfStale();
    });
  });
  document.body.addEventListener("htmx:sendError", () => {
    document.getElementById("connection-status").textContent = gettext("The server did not answer. Nothing was changed; try again.");
  });
  watchKeys();
  watchQuestions();
  watchFolds();
  document.body.addEventListener("change", showChoice);
  document.getElementById("question")?.addEventListener("close", () => setTimeout(refreshIfStale));
  const appeals = document.getElementById("appeal-queue");
  const waiting = document.querySelector(".open-appeals");
  if (appeals && waiting) watchAppeals(appeals, waiting);
  if (!desk) return;
  serverClock.hint(Number(main().dataset.now));
  watchFocus(desk);
  groups = watchGroups((message) => connection.send(message), drawAll);
  connection = new ReconnectingSocket({ path: `/ws/desk/${desk.dataset.event}/`, onFrame: receive, onStatus: status, isFinal: (code) => code === NO_SEAT });
  connection.open();
  refreshBackup = watchBackup(document.getElementById("backup"));
  const entry = document.getElementById("entry");
  if (entry) watchEntry(entry);
  const words = document.getElementById("words");
  if (words) watchWords(words);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    connection.openNow();
    tick();
  });
  groups.choose();
  tick();
  // htmx takes the forms over when the document is complete; before that, a button would load the page anew.
  document.addEventListener("DOMContentLoaded", () => {
    desk.dataset.ready = "yes";
  });
}

start();
