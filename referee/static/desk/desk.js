// The judge's desk in the browser: draws boards, counts the clock down, listens to the hall, knows the keys.
// What the desk shows comes ready from the server; this module only says when to fetch it anew.
import { drawBoard, drawRack } from "../common/board.js";
import { ServerClock, callsBetween, display, remaining, untilNextSecond, urgency } from "../common/clock.js";
import { tellHall } from "../common/hall.js";
import { Link } from "../common/link.js";
import { gettext } from "../common/text.js";
import { watchAppeals } from "./appeals.js";
import { watchBackup } from "./backup.js";
import { watchEntry } from "./entry.js";
import { watchFocus } from "./focus.js";
import { watchGroups } from "./groups.js";
import { watchKeys } from "./keys.js";
import { watchWords } from "./words.js";
import { beep, callText } from "./calls.js";

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
    drawBoard(element, JSON.parse(element.dataset.board));
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
  if (view.phase !== "running" && view.phase !== "paused") return void ((shown = null), tellHall(turn, view.phase, null));
  if (!face) return;
  const left = remaining(view, serverClock.now());
  const calls = JSON.parse(element.dataset.calls);
  face.textContent = display(left);
  face.className = `clock ${urgency(left, calls)}`;
  for (const call of callsBetween(shown, left, calls)) announce(call);
  shown = left;
  tellHall(turn, view.phase, left);
  if (view.phase === "running") timer = setTimeout(tick, Math.min(untilNextSecond(left) + 5, 500));
}

function announce(seconds) {
  const place = document.getElementById("call");
  if (place) place.textContent = callText(seconds);
  beep();
}

/** A judge who is typing a reason is not interrupted: the page is brought up to date when he leaves the field. */
const typing = () => desk.contains(document.activeElement) && document.activeElement.matches("input, textarea, select");

let asking = 0;
let stale = false;

/** Fetch the desk anew, after whatever is under way: its answer may already be the news. */
function refresh() {
  stale = asking > 0 || (typing() && !groups.keeps(document.activeElement));
  if (!stale) window.htmx.ajax("GET", desk.dataset.main, { target: "#console", swap: "innerHTML" });
}

/** News that was asked for before somebody began to type in a field would take it away from under his hands. */
function comesTooLate({ target, requestConfig }) {
  return target === desk && requestConfig.verb === "get" && typing() && !groups.keeps(document.activeElement);
}

const isNews = ({ seq, view }) => String(seq) !== main()?.dataset.seq || view?.phase !== main()?.dataset.phase;
let newest = null;
let newestLook = 0;
const isOwed = () => (newest && isNews(newest)) || newestLook > Number(main()?.dataset.looks ?? newestLook);

function catchUp() {
  if (stale) isOwed() ? refresh() : (stale = false);
}

function hear(frame) {
  if (frame.t === "state" && serverClock.hint(frame.now)) measureAnew();
  if (frame.t === "pong") return void (serverClock.exchange(frame.c, frame.now) && measure());
  if (frame.t === "count") return count(frame);
  if (frame.t === "alarm") return alarm(frame);
  if (frame.t === "looking") return groups.hear(frame.at);
  if (frame.t === "looked") return void ((newestLook = frame.look), isOwed() && refresh());
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
  if (frame.missing) write("missing-count", frame.missing.length);
  const missing = document.getElementById("missing");
  if (missing && frame.missing) {
    missing.replaceChildren(...frame.missing.map((table) => Object.assign(document.createElement("span"), { textContent: table })));
  }
  tellSlips();
}

/** What is missing may be another thing now: the line for slips offers the next table (entry.js). */
const tellSlips = () => document.body.dispatchEvent(new CustomEvent("multiplo:slips"));

function alarm({ kind, text }) {
  document.getElementById("line").textContent = text || "";
  if (kind.startsWith("backup")) askForBackup();
}

function measure() {
  link.send({ t: "ping", c: performance.now() });
}

function measureAnew() {
  serverClock.remeasure();
  measure();
}

const NO_SEAT = 4401;

/** The role of this desk is another one, or gone: what is shown has to go, too. The page loads anew and says why. */
function ended() {
  if (performance.now() > 5000) return void location.reload();
  document.getElementById("line").textContent = gettext("This desk is closed: load the page anew, or ask the director.");
}

function status(state) {
  if (state === "ended") return ended();
  document.getElementById("line").textContent =
    state === "online" || state === "connecting" ? "" : gettext("No connection to the program. It is being tried again.");
  if (state !== "online") return;
  measureAnew();
  groups.again();
  refresh();
}

function showNotices({ detail }) {
  const lines = detail.notices.map(({ kind, text }) =>
    Object.assign(document.createElement("p"), { className: `notice ${kind}`, textContent: text, role: kind === "error" ? "alert" : null }),
  );
  document.getElementById("notices").replaceChildren(...lines);
}

let link = null;
let groups = null;
let askForBackup = null;

function start() {
  drawAll();
  document.body.addEventListener("notices", showNotices);
  let open = [];
  document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (comesTooLate(detail)) return void ((detail.shouldSwap = false), (stale = true));
    open = [...document.querySelectorAll("details[open][id]")].map((element) => element.id);
  });
  document.body.addEventListener("htmx:afterSwap", () => {
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    drawAll();
    tick();
    tellSlips();
    if (phase !== main()?.dataset.phase) document.body.dispatchEvent(new CustomEvent("multiplo:phase"));
    phase = main()?.dataset.phase;
  });
  document.body.addEventListener("focusout", () => setTimeout(catchUp, 150));
  document.body.addEventListener("htmx:beforeRequest", ({ detail }) => {
    asking += 1;
    // htmx tells nobody of an answer to a button that has been replaced meanwhile; the request itself always ends.
    detail.xhr.addEventListener("loadend", () => ((asking -= 1), catchUp()));
  });
  document.body.addEventListener("htmx:sendError", () => {
    document.getElementById("line").textContent = gettext("The program did not answer. Nothing was changed; try again.");
  });
  watchKeys();
  const appeals = document.getElementById("appeal-queue");
  const waiting = document.querySelector(".open-appeals");
  if (appeals && waiting) watchAppeals(appeals, waiting);
  if (!desk) return;
  serverClock.hint(Number(main().dataset.now));
  watchFocus(desk);
  groups = watchGroups((message) => link.send(message));
  link = new Link({ path: `/ws/desk/${desk.dataset.event}/`, onFrame: hear, onStatus: status, isFinal: (code) => code === NO_SEAT });
  link.open();
  askForBackup = watchBackup(document.getElementById("backup"));
  const entry = document.getElementById("entry");
  if (entry) watchEntry(entry);
  const words = document.getElementById("words");
  if (words) watchWords(words);
  document.addEventListener("visibilitychange", () => !document.hidden && (link.hurry(), tick()));
  tick();
  desk.dataset.ready = "yes";
}

start();
