// The wall of the hall: shows what everybody may know, follows the phase by itself, has no buttons but the one of the voice.
import { drawBoard, drawRack } from "../common/board.js";
import { ServerClock, display, remaining, untilNextSecond, urgency } from "../common/clock.js";
import { tellHall } from "../common/hall.js";
import { Link } from "../common/link.js";
import { arrow, formatReference, parseReference } from "../common/reference.js";
import { fill, gettext, nameText, ngettext, number, rankText } from "../common/text.js";
import { counted, plain } from "../common/tiles.js";
import { actsText, earlierText, inGroups, proofText } from "./proof.js";
import { pagesOf, shortRanking, showPage } from "./ranking.js";

const PAGE_MS = 8000;
const MEASURE_MS = 60000;
const LOST_AFTER_MS = 4000;
const LONG = 9;

const byId = (id) => document.getElementById(id);
const clock = new ServerClock();
let view = null;
let ticking = null;
let losing = null;
let paging = null;
let pages = "";

function setText(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

const link = new Link({
  path: document.body.dataset.socket,
  onFrame: receive,
  onStatus: (status) => {
    clearTimeout(losing);
    if (status === "online") {
      byId("lost").hidden = true;
      measure();
    } else losing = setTimeout(() => (byId("lost").hidden = false), LOST_AFTER_MS);
  },
});

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

const ping = () => link.send({ t: "ping", c: performance.now() });

function measure() {
  clock.remeasure();
  ping();
}

function show() {
  byId("wall").dataset.screen = view.phase;
  for (const part of document.querySelectorAll("[data-for], [data-if]")) part.hidden = !belongs(part.dataset);
  showHeader();
  showCounts();
  showLast();
  drawBoard(byId("board"), { board: view.board, fresh: view.new, values: view.values, notation: view.notation });
  drawRack(byId("rack"), view.rack, view.values);
  byId("stock").hidden = !view.stock;
  setText("stock", view.stock ? fill(gettext("One more tile of your choice: %(tiles)s"), { tiles: counted(view.stock) }) : "");
  showRankings();
  showSeal();
  showFinal();
  tick();
}

/** The best of the room, and where an event has several rooms the best of all after what every one has played. */
function showRankings() {
  const { merged, merged_turns: turns, phase, standings, turn } = view;
  const shared = merged.length > 0 && turns > 0;
  shortRanking(byId("ranking"), turn > 1 || phase === "placed" ? standings : [], shared ? 5 : phase === "placed" ? 10 : 8);
  shortRanking(byId("merged"), shared ? merged : [], 5);
  byId("merged-title").hidden = !shared;
  setText("merged-title", shared ? fill(ngettext("All rooms after %(turns)s turn", "All rooms after %(turns)s turns", turns), { turns }) : "");
}

function belongs({ for: phases, if: needed }) {
  if (needed === "last" && !(view.last && view.last.word)) return false;
  if (needed === "seal" && !view.commitment) return false;
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
  setText("players-word", ngettext("player", "players", view.players));
  setText("names", view.phase === "lobby" ? view.event_places.slice(0, 10).map(placeOf).join(" · ") : "");
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
  setText("top-note", noteOn(last));
}

/** What else the hall wants to know about the move: who found it, and whether there was a better one. */
function noteOn(last) {
  const notes = [];
  if (last.solo) notes.push(fill(gettext("Solo: %(name)s."), { name: last.solo }));
  else if (last.finders) notes.push(fill(ngettext("Found by %(count)s player.", "Found by %(count)s players.", last.finders), { count: last.finders }));
  else notes.push(gettext("Found by nobody."));
  if (last.top > last.score) notes.push(fill(gettext("The best possible was %(top)s."), { top: number(last.top) }));
  return notes.join(" ");
}

function showSeal() {
  setText("proof", proofText(view));
  for (const id of ["acts", "lobby-acts", "final-acts"]) {
    byId(id).hidden = !view.draw_acts.length;
    setText(id, actsText(view.draw_acts));
  }
  byId("earlier").hidden = !view.earlier_draws.length;
  setText("earlier", earlierText(view));
  setText("commitment", inGroups(view.commitment));
  setText("final-commitment", inGroups(view.commitment));
  setText("seed", inGroups(view.seed));
  byId("hall-word").hidden = !view.hall_word;
  setText("hall-word", fill(gettext("Word of the hall: %(word)s"), { word: view.hall_word }));
}

const placeOf = (line) => `${rankText(line)} ${nameText(line)} ${number(line.total)}`;

/** Everything that the final screen shows in turn: the game, then the event so far. */
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
  clearInterval(paging);
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
  if (all.length > 1) paging = setInterval(turn, PAGE_MS);
}

function tick() {
  clearTimeout(ticking);
  if (!view) return;
  if (!["running", "paused"].includes(view.phase)) return void tellHall(view.turn, view.phase, null);
  const left = remaining(view, clock.now());
  tellHall(view.turn, view.phase, left);
  const tone = view.phase === "running" ? urgency(left, view.calls) : "";
  setText("clock", display(left));
  byId("clock").className = `clock ${tone}`;
  const call = view.phase === "paused" ? gettext("The clock stands still") : callOf(left, view.calls);
  byId("call").hidden = !call;
  byId("call").className = `call ${tone}`;
  setText("call", call);
  if (view.phase === "running") ticking = setTimeout(tick, untilNextSecond(left));
}

/** The call that counts now, in words: it stays until the next one, for those who looked away. */
function callOf(left, calls) {
  if (left <= 0) return gettext("Time is up");
  const passed = calls.filter((seconds) => left <= seconds * 1000);
  if (!passed.length) return "";
  const seconds = Math.min(...passed);
  if (seconds === 60) return gettext("Last minute");
  return fill(gettext("Last %(seconds)s seconds"), { seconds });
}

document.addEventListener("visibilitychange", () => {
  link.hurry();
  tick();
});
window.addEventListener("online", () => link.renew());
setInterval(measure, MEASURE_MS);
window.addEventListener("offline", () => link.restart());
link.open();
