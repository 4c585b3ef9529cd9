// The wall: shows the public state of the game and follows its phase. Its only button is the one for the voice.
import { drawBoard, drawRack } from "../common/board.js";
import { ServerClock, display, remaining, untilNextSecond, urgency } from "../common/clock.js";
import { publishGameState } from "../common/game_state.js";
import { ReconnectingSocket } from "../common/reconnecting_socket.js";
import { arrow, formatReference, parseReference } from "../common/reference.js";
import { fill, gettext, nameText, ngettext, number, rankText } from "../common/text.js";
import { counted, plain } from "../common/tiles.js";
import { actsText, earlierText, inGroups, commitmentsText } from "./commitments.js";
import { pagesOf, shortRanking, showPage } from "./ranking.js";

const PAGE_MS = 8000;
const MEASURE_MS = 60000;
const LOST_AFTER_MS = 4000;
const LONG = 9;

const byId = (id) => document.getElementById(id);
const clock = new ServerClock();
let view = null;
let clockTimer = null;
let offlineTimer = null;
let pageTimer = null;
let pages = "";

function setText(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

const connection = new ReconnectingSocket({
  path: document.body.dataset.socket,
  onFrame: receive,
  onStatus: (status) => {
    clearTimeout(offlineTimer);
    if (status === "online") {
      byId("offline").hidden = true;
      measure();
    } else offlineTimer = setTimeout(showLost, LOST_AFTER_MS);
  },
});

function showLost() {
  byId("offline").hidden = false;
}

function receive(frame) {
  if (frame.t === "pong") {
    if (clock.exchange(frame.c, frame.now)) ping();
    else tick();
  } else if (frame.t === "state") {
    if (clock.hint(frame.now)) measure();
    view = frame.view;
    show();
  } else if (frame.t === "count" && view) {
    view = { ...view, slips_in: frame.slips_in, players: frame.players };
    showCounts();
  }
}

const ping = () => connection.send({ t: "ping", c: performance.now() });

function measure() {
  clock.remeasure();
  ping();
}

function show() {
  byId("wall").dataset.screen = view.phase;
  for (const part of document.querySelectorAll("[data-for], [data-if]")) part.hidden = !isVisible(part.dataset);
  showHeader();
  showCounts();
  showLast();
  drawBoard(byId("board"), { board: view.board, fresh: view.new, values: view.values, notation: view.notation });
  drawRack(byId("rack"), view.rack, view.values);
  byId("stock").hidden = !view.stock;
  setText("stock", view.stock ? fill(gettext("One more tile of your choice: %(tiles)s"), { tiles: counted(view.stock) }) : "");
  showRankings();
  showCommitments();
  showFinal();
  tick();
}

/** The ranking of the room; with several rooms also that of all, after the turns that every room has played. */
function showRankings() {
  const { merged, merged_turns: turns, phase, standings, turn } = view;
  const shared = merged.length > 0 && turns > 0;
  shortRanking(byId("ranking"), turn > 1 || phase === "placed" ? standings : [], shared ? 5 : phase === "placed" ? 10 : 8);
  shortRanking(byId("merged"), shared ? merged : [], 5);
  byId("merged-title").hidden = !shared;
  setText("merged-title", shared ? fill(ngettext("All rooms after %(turns)s turn", "All rooms after %(turns)s turns", turns), { turns }) : "");
}

function isVisible({ for: phases, if: needed }) {
  if (needed === "last" && !(view.last?.word)) return false;
  if (needed === "commitment" && !view.commitment) return false;
  return phases === undefined || phases.split(" ").includes(view.phase);
}

function showHeader() {
  setText("turn", fill(gettext("Game %(game)s · turn %(turn)s"), { game: view.game_number, turn: view.turn }));
  setText("drawn-turn", fill(gettext("Turn %(turn)s"), { turn: view.turn }));
  const square = { row: 7, column: 7 };
  const ways = [true, false].map((across) => formatReference({ ...square, across }, view.notation));
  setText("notation", fill(gettext("Across is written %(across)s →, down %(down)s ↓"), { across: ways[0], down: ways[1] }));
  setText("tiles-left", number(view.tiles_left));
}

function showCounts() {
  setText("slips", number(view.slips_in));
  setText("slips-of", `/${number(view.players)}`);
  setText("players", number(view.players));
  setText("players-label", ngettext("player", "players", view.players));
  setText("names", view.phase === "lobby" ? view.event_places.slice(0, 10).map(rankedName).join(" · ") : "");
}

function showLast() {
  const { last, notation } = view;
  if (!last) return;
  const place = parseReference(last.ref, notation);
  const way = place ? arrow(place.across) : "";
  const word = plain(last.word || "");
  setText("last-move", `${word} ${last.ref}`);
  setText("last-score", fill(gettext("turn %(turn)s · %(score)s points"), { turn: last.turn, score: number(last.score) }));
  for (const part of ["top", "before"]) {
    setText(`${part}-word`, word || gettext("No move"));
    setText(`${part}-ref`, last.ref);
    setText(`${part}-arrow`, way);
    setText(`${part}-score`, word ? number(last.score) : "");
  }
  byId("top-word").classList.toggle("long", word.length > LONG);
  byId("last-move").classList.toggle("long", word.length > LONG);
  setText("top-note", moveNote(last));
}

/** A note on the move: who found it, and whether a better one was possible. */
function moveNote(last) {
  const notes = [];
  if (last.solo) notes.push(fill(gettext("Solo: %(name)s."), { name: last.solo }));
  else if (last.finders) notes.push(fill(ngettext("Found by %(count)s player.", "Found by %(count)s players.", last.finders), { count: last.finders }));
  else notes.push(gettext("Nobody found it."));
  if (last.top > last.score) notes.push(fill(gettext("The best possible was %(top)s."), { top: number(last.top) }));
  return notes.join(" ");
}

function showCommitments() {
  setText("commitments", commitmentsText(view));
  for (const id of ["draw-acts", "lobby-draw-acts", "final-draw-acts"]) {
    byId(id).hidden = !view.draw_acts.length;
    setText(id, actsText(view.draw_acts));
  }
  byId("earlier").hidden = !view.earlier_draws.length;
  setText("earlier", earlierText(view));
  setText("commitment", inGroups(view.commitment));
  setText("final-commitment", inGroups(view.commitment));
  setText("seed", inGroups(view.seed));
  byId("called-word").hidden = !view.hall_word;
  setText("called-word", fill(gettext("Word called out: %(word)s"), { word: view.hall_word }));
}

const rankedName = (line) => `${rankText(line)} ${nameText(line)} ${number(line.total)}`;

/** The pages of the final screen: the game, then the event so far. */
function finalPages() {
  const room = view.merged.length ? fill(gettext("Final standings: %(room)s"), { room: view.room }) : gettext("Final standings");
  const own = pagesOf(view.standings).map((page) => ({ title: room, page }));
  const all = view.merged.length ? pagesOf(view.merged).map((page) => ({ title: gettext("The best of all rooms"), page })) : [];
  const game = [...own, ...all];
  if (!view.event_places.length) return game;
  return [...game, ...pagesOf(view.event_places).map((page) => ({ title: gettext("Standings of all games"), page }))];
}

function showFinal() {
  const key = view.phase === "finished" ? JSON.stringify([view.standings, view.event_places, view.merged]) : "";
  if (key === pages) return;
  pages = key;
  clearInterval(pageTimer);
  if (!key) return;
  const all = finalPages();
  let at = 0;
  const turn = () => {
    showPage(byId("final"), all[at].page);
    setText("final-title", all[at].title);
    setText("page", all.length > 1 ? fill(gettext("%(page)s of %(pages)s"), { page: at + 1, pages: all.length }) : "");
    at = (at + 1) % all.length;
  };
  turn();
  if (all.length > 1) pageTimer = setInterval(turn, PAGE_MS);
}

function tick() {
  clearTimeout(clockTimer);
  if (!view) return;
  if (!["running", "paused"].includes(view.phase)) return void publishGameState(view.turn, view.phase, null);
  const left = remaining(view, clock.now());
  publishGameState(view.turn, view.phase, left);
  const tone = view.phase === "running" ? urgency(left, view.calls) : "";
  setText("clock", display(left));
  byId("clock").className = `clock ${tone}`;
  const call = view.phase === "paused" ? gettext("The clock is paused") : callOf(left, view.calls);
  byId("call").hidden = !call;
  byId("call").className = `call ${tone}`;
  setText("call", call);
  if (view.phase === "running") clockTimer = setTimeout(tick, untilNextSecond(left));
}

/** The last call in words; it stays until the next one. */
function callOf(left, calls) {
  if (left <= 0) return gettext("Time is up");
  const passed = calls.filter((seconds) => left <= seconds * 1000);
  if (!passed.length) return "";
  const seconds = Math.min(...passed);
  if (seconds === 60) return gettext("Last minute");
  return fill(gettext("Last %(seconds)s seconds"), { seconds });
}

document.addEventListener("visibilitychange", () => {
  connection.openNow();
  tick();
});
window.addEventListener("online", () => connection.reconnect());
setInterval(measure, MEASURE_MS);
window.addEventListener("offline", () => connection.restart());
connection.open();
