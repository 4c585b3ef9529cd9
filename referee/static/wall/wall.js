// The wall: shows the public state of the game and follows its phase. V shows the texts behind “Verify”.
import { drawBoard, drawRack } from "../common/board.js";
import { ServerClock, display, remaining, untilNextSecond, urgency } from "../common/clock.js";
import { publishGameState } from "../common/game_state.js";
import { ReconnectingSocket } from "../common/reconnecting_socket.js";
import { arrow, parseReference } from "../common/reference.js";
import { fill, gettext, hourAndMinute, nameText, ngettext, number, rankText } from "../common/text.js";
import { counted, plain } from "../common/tiles.js";
import { actsText, earlierText, headText, inGroups, noticeText } from "./commitments.js";
import { pagesOf, podiumOf, shortRanking, showPage, showPodium, winnersText } from "./ranking.js";

const PAGE_MS = 8000;
const MEASURE_MS = 60000;
const LOST_AFTER_MS = 4000;
const MOST_MARKS = 40;
const OVERLAY_LINES = 10;

const byId = (id) => document.getElementById(id);
const isOverlay = document.documentElement.classList.contains("overlay");
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
  byId("wall").toggleAttribute("data-season", Boolean(view.season_on_wall));
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
  const { merged, merged_turns: turns, standings, last } = view;
  const shared = merged.length > 0 && turns > 0 && !isOverlay;
  shortRanking(byId("ranking"), standings, isOverlay ? OVERLAY_LINES : shared ? 3 : last?.solo ? 5 : 8);
  shortRanking(byId("merged"), shared ? merged : [], last?.solo ? 2 : 4);
  byId("merged-title").hidden = !shared;
  byId("merged-table").hidden = !shared;
  setText("merged-title", shared ? fill(ngettext("All rooms after %(turns)s turn", "All rooms after %(turns)s turns", turns), { turns }) : "");
}

function isVisible({ for: phases, if: needed }) {
  if (needed === "last" && !(view.last?.word)) return false;
  return phases === undefined || phases.split(" ").includes(view.phase);
}

/** The header names the turn that the screen shows: the one on the board until the next rack is announced. */
function showHeader() {
  const { last, phase, turn, game_number: game } = view;
  const shown = phase === "drawn" && last ? last.turn : turn;
  setText("turn", game > 1 ? fill(gettext("Game %(game)s · turn %(turn)s"), { game, turn: shown }) : fill(gettext("Turn %(turn)s"), { turn: shown }));
  if (phase === "finished") setText("turn", gettext("Game over"));
  byId("foot").replaceChildren(...footParts());
}

function footParts() {
  const { last, phase, turn } = view;
  if (phase === "drawn") return [fill(gettext("Turn %(turn)s: the judge is drawing the rack."), { turn })];
  if (phase === "placed") return [gettext("Next turn in a moment")];
  if (!last?.word) return [];
  const word = Object.assign(document.createElement("b"), { textContent: `${plain(last.word)} · ${number(last.score)}` });
  return [`${gettext("Last word")} `, word];
}

function showCounts() {
  const { slips_in: slips, players, phase } = view;
  setText("slips", number(slips));
  setText("slips-of", fill(ngettext("of %(players)s slip in", "of %(players)s slips in", players), { players: number(players) }));
  showMarks(slips, players);
  setText("players", number(players));
  setText("players-label", ngettext("player", "players", players));
  setText("names", phase === "lobby" ? view.event_places.slice(0, 10).map(rankedName).join(" · ") : "");
}

/** A mark for each player, filled for each slip; joined into one line where there are many. */
function showMarks(slips, players) {
  const marks = byId("slip-marks");
  marks.toggleAttribute("data-many", players > MOST_MARKS);
  while (marks.children.length > players) marks.lastChild.remove();
  while (marks.children.length < players) marks.append(document.createElement("li"));
  for (const [index, mark] of [...marks.children].entries()) mark.className = index < slips ? "in" : "";
}

function showLast() {
  const { last, notation } = view;
  byId("no-move").hidden = !["placed", "drawn"].includes(view.phase) || Boolean(last?.word);
  setText("no-move", noMoveText());
  if (!last?.word) return;
  const place = parseReference(last.ref, notation);
  byId("top-move").classList.toggle("solo", Boolean(last.solo));
  byId("solo-tag").hidden = !last.solo;
  setText("finder", last.solo);
  drawRack(byId("top-word"), last.word, view.values);
  byId("top-word").setAttribute("aria-label", plain(last.word));
  byId("top-word").style.setProperty("--n", String(byId("top-word").children.length));
  setText("top-ref", [last.ref, place ? arrow(place.across) : ""].join(" "));
  setText("top-score", number(last.score));
  setText("top-note", moveNote(last));
  setText("top-better", last.top > last.score ? fill(gettext("The best possible was %(top)s."), { top: number(last.top) }) : "");
}

/** Without a word on the board: no move was possible, or the first rack is being drawn. */
function noMoveText() {
  return view.last ? gettext("No move") : gettext("The judge is drawing the rack.");
}

/** Who found the move. */
function moveNote({ solo, finders }) {
  const named = { count: number(finders), players: number(view.players) };
  if (!finders) return gettext("nobody found it");
  if (solo) return fill(gettext("the top, found by %(count)s of %(players)s"), named);
  return fill(gettext("found by %(count)s of %(players)s"), named);
}

function showText(id, text) {
  byId(id).hidden = !text;
  setText(id, text);
}

function showCommitments() {
  const notice = noticeText(view);
  showText("draw-acts", notice);
  showText("lobby-draw-acts", notice);
  showText("all-draw-acts", actsText(view.draw_acts));
  showText("earlier", earlierText(view));
  byId("verify").classList.toggle("without-draw", !view.commitment);
  byId("commitment-row").hidden = !view.commitment;
  setText("commitment", inGroups(view.commitment));
  byId("seed-row").hidden = !view.seed;
  setText("seed", inGroups(view.seed));
  byId("called-word-row").hidden = !view.hall_word;
  setText("called-word", view.hall_word);
  setText("ledger-head", headText(view));
  setText("final-head", headText(view) ? `${gettext("Ledger")} · ${headText(view)}` : "");
}

const rankedName = (line) => `${rankText(line)} ${nameText(line)} ${number(line.total)}`;

// Titles with more letters are set smaller, beside the name of the event.
const TITLE_LETTERS = 22;

/** The title of standings that are not final yet: they become it at a time unless somebody appeals. */
const provisionalText = () =>
  view.settles_at
    ? fill(gettext("Standings, provisional until %(time)s"), { time: hourAndMinute(view.settles_at) })
    : gettext("Standings, provisional");

/** The pages at the end: the podium with the lines behind it, then the standings of all rooms and of all games. */
function finalPages() {
  const { standings, merged, event_places: places, room } = view;
  const ended = view.provisional ? provisionalText() : winnersText(standings) || gettext("Game over");
  const [podium, title] = [podiumOf(standings), ended];
  const behind = standings.filter((line) => !podium.includes(line));
  const pages = pagesOf(behind).map((page) => ({ title, podium, page, won: podium.length > 0 }));
  const more = (named, lines) => (lines.length ? pagesOf(lines).map((page) => ({ title: named, page })) : []);
  return [...pages, ...more(gettext("The best of all rooms"), room ? merged : []), ...more(gettext("Standings of all games"), places)];
}

function showFinal() {
  const key = view.phase === "finished" ? JSON.stringify([view.standings, view.event_places, view.merged, view.provisional, view.settles_at]) : "";
  if (key === pages) return;
  pages = key;
  clearInterval(pageTimer);
  if (!key) return;
  const all = finalPages();
  showPodium(byId("podium"), podiumOf(view.standings));
  showHighlights();
  let at = 0;
  const turn = () => {
    showFinalPage(all[at], all.length > 1 ? fill(gettext("%(page)s of %(pages)s"), { page: at + 1, pages: all.length }) : "");
    at = (at + 1) % all.length;
  };
  turn();
  if (all.length > 1) pageTimer = setInterval(turn, PAGE_MS);
}

function showFinalPage({ title, podium, page, won }, which) {
  byId("final").dataset.columns = String(page.length);
  byId("final").classList.toggle("without-podium", !podium);
  byId("final-title").classList.toggle("won", Boolean(won));
  byId("final-title").classList.toggle("long", title.length > TITLE_LETTERS);
  setText("final-title", title);
  setText("page", which ? `· ${which}` : "");
  showPage(byId("lines"), page);
}

function highlight(label, text) {
  const part = document.createElement("span");
  part.append(`${label} `, Object.assign(document.createElement("b"), { textContent: text }));
  return part;
}

/** The best word, the solos, and all the tops of the game, with which the winner's total can be compared. */
function showHighlights() {
  const first = view.standings.find((line) => line.rank === 1);
  const [best, ...solos] = view.highlights || [];
  const parts = [];
  if (best) parts.push(highlight(gettext("Best word"), `${plain(best.word).toUpperCase()} · ${number(best.score)}`));
  if (solos.length) parts.push(highlight(gettext("Solo"), solos.map(({ name, word }) => `${name}, ${plain(word).toUpperCase()}`).join(" · ")));
  if (first) parts.push(highlight(gettext("Top of the game"), number(first.total - first.negative)));
  byId("highlights").replaceChildren(...parts);
}

function tick() {
  clearTimeout(clockTimer);
  if (!view) return;
  if (!["running", "paused"].includes(view.phase)) {
    byId("call").hidden = true;
    publishGameState(view.turn, view.phase, null);
    return;
  }
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

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("verify").open = false;
  else if (event.key.toLowerCase() === "v" && !event.ctrlKey && !event.altKey && !event.metaKey) byId("verify").open = !byId("verify").open;
});
document.addEventListener("visibilitychange", () => {
  connection.openNow();
  tick();
});
window.addEventListener("online", () => connection.reconnect());
setInterval(measure, MEASURE_MS);
window.addEventListener("offline", () => connection.restart());
connection.open();
