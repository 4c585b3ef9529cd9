// The phone's screen around the slip: header, notices, own result, standings. Reads a state, writes the page.
import { display } from "../common/clock.js";
import { drawRack } from "../common/board.js";
import { arrow, parseReference } from "../common/reference.js";
import { fill, gettext, nameText, ngettext, number, percent, rankText, timeOfDay } from "../common/text.js";
import { counted, plain } from "../common/tiles.js";
import { setText } from "./page_text.js";
import { examples } from "./slip_check.js";
import { showCard, showSolo } from "./celebration.js";
import { AWAY, canWrite, hasLeft, isDisqualified, isLate, isOffline, ownSlip, ownVerdict, playsNow } from "./state.js";

const byId = (id) => document.getElementById(id);

function make(tag, text, className) {
  return Object.assign(document.createElement(tag), { textContent: text, className: className || "" });
}

function notices(state) {
  const { view, player } = state;
  const name = player ? player.name : "";
  const table = player ? player.table : "";
  return {
    connecting: [gettext("One moment"), gettext("Connecting to the game …")],
    lobby: [
      name ? fill(gettext("You’re in, %(name)s"), { name }) : gettext("You’re in"),
      gettext("The first letters appear here by themselves. Keep this page open."),
    ],
    drawn: [fill(gettext("Turn %(turn)s"), { turn: view ? view.turn : "" }), gettext("The judge is drawing the rack. It appears here by itself.")],
    finished: [gettext("Game over"), ending(view)],
    moved: [
      fill(gettext("Another phone plays at table %(table)s now"), { table }),
      gettext("If that is not you, take the table back or call the judge. What was sent is kept."),
    ],
    removed: [gettext("The judge has removed you from the list"), gettext("If that is a mistake, call the judge, or join again with the code on the wall.")],
    ended: [gettext("This phone is not in the game any more"), gettext("Join again with the code on the wall.")],
  };
}

/** The notice of a player who is not in this turn, or null. */
function absence(state, screen) {
  if (!["running", "paused", "closed"].includes(screen)) return null;
  if (isLate(state)) {
    return [gettext("You play from the next turn"), fill(gettext("Turn %(turn)s is running. Until then, look for a word just for fun."), { turn: state.view.turn })];
  }
  if (!hasLeft(state)) return null;
  return [fill(gettext("You have left the game after turn %(turn)s"), { turn: state.me.last_turn }), gettext("The judge can let you play again.")];
}

function ending(view) {
  const reasons = {
    tiles_out: gettext("All tiles are used."),
    minimum: gettext("Vowels or consonants are used up."),
    no_move: gettext("No move is possible any more."),
    turns: gettext("All agreed turns are played."),
    judge: gettext("The judge has ended the game."),
  };
  return (view && reasons[view.end_why]) || "";
}

/** Everything but the clock and the slip. */
export function show(state, screen) {
  const { view } = state;
  const card = screen === "finished" && showCard(state);
  const solo = ["placed", "drawn"].includes(screen) && showSolo(state);
  byId("main").dataset.screen = screen;
  byId("card").hidden = !card;
  byId("solo").hidden = !solo;
  document.body.classList.toggle("gold", Boolean(solo) || (card && state.me.rank === 1));
  showNotice(state, screen, card);
  showBanner(state);
  setText("turn", turnText(view, screen) || byId("turn").textContent);
  byId("dictionary").hidden = !view?.open_dictionary;
  byId("position").hidden = !view || ["connecting", "lobby", ...AWAY].includes(screen);
  byId("rack").hidden = !view?.rack || ["placed", "finished"].includes(screen);
  byId("stock").hidden = byId("rack").hidden || !view.stock;
  setText("stock", view?.stock ? fill(gettext("One more tile of your choice: %(tiles)s"), { tiles: counted(view.stock) }) : "");
  byId("slip").hidden = !canWrite(screen) || !playsNow(state);
  showResult(state, screen, { solo, card });
  showStandings(state, screen);
}

/** One short text in every phase, so that a pause does not make the header higher. */
function turnText(view, screen) {
  if (screen === "paused") return gettext("Paused");
  if (!view?.turn) return view?.event_name || "";
  return fill(gettext("Turn %(turn)s"), { turn: screen === "drawn" && view.last ? view.last.turn : view.turn });
}

function showNotice(state, screen, card) {
  const notice = absence(state, screen) || notices(state)[screen];
  byId("notice").hidden = !notice || card;
  if (!notice) return;
  setText("notice-title", notice[0]);
  setText("notice-text", notice[1]);
  byId("notice-link").hidden = !AWAY.includes(screen);
  if (screen === "ended" || screen === "removed") setText("notice-link", gettext("Join again"));
  showNameTiles(screen === "lobby" && state.player ? state : null);
}

/** The first name as tiles, if it is short enough and has letters only. */
function showNameTiles(state) {
  const first = state ? state.player.name.split(" ")[0].normalize("NFC").toUpperCase() : "";
  const fits = /^\p{L}{1,7}$/u.test(first);
  byId("name-tiles").hidden = !fits;
  if (fits) drawRack(byId("name-tiles"), first, state.view?.values);
}

/** The sentence above the screen, empty when there is nothing to say. */
export function bannerText(state) {
  if (isOffline(state)) return gettext("No connection: your draft is kept. A slip that was sent will arrive when the network is back.");
  return state.outage || state.outdated || outText(state);
}

/** The reason for which the player hands in no slips, empty for everybody else. */
function outText(state) {
  const isOver = state.view?.phase === "finished";
  if (!state.hasPlace) return isOver ? "" : gettext("You have no place in this game. To play, ask the judge.");
  if (!isDisqualified(state)) {
    const left = gettext("You left the game: your last turn is turn %(turn)s. To play on, ask the judge.");
    return hasLeft(state) && !isOver ? fill(left, { turn: state.me.last_turn }) : "";
  }
  const sentence = gettext("You are disqualified from turn %(turn)s on: you are not in the ranking and hand in no more slips. The judge can tell you why.");
  return fill(sentence, { turn: state.me.disqualified_from });
}

function showBanner(state) {
  const text = bannerText(state);
  byId("banner").hidden = !text;
  setText("banner", text);
}

/** A slip, verdict or draft in one line: "CESTAI 12C → · 37"; the score only if it was declared. */
export function moveText({ word, ref, hook, score }, notation) {
  const declared = score === null || score === undefined || score === "" ? "" : ` · ${score}`;
  return `${move(word.toUpperCase(), ref || hook, notation)}${declared}`;
}

/** "CESTAI 12C →"; `ref` may be crossing letters. */
function move(word, ref, notation) {
  const place = parseReference(ref || "", notation);
  return [plain(word || ""), ref, place ? arrow(place.across) : ""].filter(Boolean).join(" ");
}

const RESULTS = { valid: "ok", rescued: "warn", zero: "bad" };

function showResult(state, screen, { solo, card }) {
  const shown = solo || card ? null : own(state, screen);
  const rows = facts(state, screen, solo);
  byId("result").hidden = !shown && !rows.length;
  byId("own").hidden = !shown;
  if (shown) showOwn({ tone: "", points: null, ...shown });
  byId("facts").replaceChildren(...rows.map(([term, text]) => {
    const row = make("div", "");
    row.append(make("dt", term), make("dd", text));
    return row;
  }));
}

function showOwn({ tone, points, title, line, text }) {
  byId("own").className = `own ${tone}`;
  setText("own-title", title);
  setText("own-points", points === null ? "" : number(points));
  setText("own-unit", points === null ? "" : ngettext("point", "points", Math.abs(points)));
  setText("own-move", line);
  setText("own-verdict", text);
}

/** The content of the player's own card, or null. */
function own(state, screen) {
  if (screen === "closed") return playsNow(state) ? waitingSlip(state) : null;
  return ["placed", "drawn"].includes(screen) && state.view.last ? ownResult(state) : null;
}

function waitingSlip(state) {
  const slip = ownSlip(state);
  const title = gettext("Time is up. The judge is reading the slips.");
  if (!slip) return { title, line: "—", text: gettext("No slip of yours has arrived.") };
  return { title, tone: slip.in_time ? "ok" : "warn", line: moveText(slip, state.view.notation), text: receiptText(slip) };
}

function ownResult(state) {
  const verdict = ownVerdict(state);
  const title = gettext("Your word");
  if (!verdict) return { title, line: "—", text: withoutVerdict(state) };
  return {
    title,
    tone: RESULTS[verdict.result] || "",
    points: verdict.points,
    line: verdict.word ? move(verdict.word, verdict.ref || verdict.hook, state.view.notation) : "—",
    text: [verdict.text, verdict.decision_reason].filter(Boolean).join(" "),
  };
}

function withoutVerdict(state) {
  const { me, view } = state;
  if (isDisqualified(state) || !state.hasPlace || (me?.last_turn ?? view.last.turn) < view.last.turn) {
    return gettext("You have no result in this turn.");
  }
  return me && me.first_turn > view.last.turn ? gettext("You were not in this turn yet.") : gettext("Your result is on its way.");
}

function facts(state, screen, solo) {
  if (screen === "lobby") return lobbyFacts(state);
  if (!["placed", "drawn"].includes(screen) || !state.view.last) return [];
  const { view, me } = state;
  const rows = solo ? [] : moveFacts(view);
  if (!me?.rank) return rows;
  rows.push([gettext("You"), `${rankOf(me, view)}${climbed(state)}`]);
  rows.push([gettext("Total"), `${number(me.total)} · ${percent(me.percent)}`]);
  if (solo) rows.push(...nextBestFacts(view));
  if (me.event_rank) rows.push([gettext("In all games"), fill(gettext("%(rank)s of %(players)s"), { rank: me.event_rank, players: me.event_players })]);
  return rows;
}

function moveFacts(view) {
  const { last, notation } = view;
  const rows = [[gettext("On the board"), last.word ? `${move(last.word, last.ref, notation)} · ${number(last.score)}` : gettext("nothing")]];
  if (last.top !== last.score) rows.push([gettext("Top"), `${move(last.top_word, last.top_ref, notation)} · ${number(last.top)}`.trim()]);
  if (last.top) rows.push([gettext("Top found by"), topFinders(view)]);
  return rows;
}

function topFinders({ last, standings_count: players }) {
  if (last.solo) return last.solo;
  return last.top_finders ? fill(gettext("%(count)s of %(players)s"), { count: number(last.top_finders), players: number(players) }) : gettext("nobody");
}

/** The best word below the top, for the only player who found the top. */
function nextBestFacts({ last: { next_best: next }, notation }) {
  return next ? [[gettext("Next best word"), `${move(next.word, next.ref, notation)} · ${number(next.score)}`]] : [];
}

const rankOf = (me, view) => fill(gettext("%(rank)s of %(players)s"), { rank: me.rank, players: view.standings_count });

/** The places won (▲) or lost (▼) in the last turn; "" if the rank is the same or was not known. */
function climbed({ me, rankBefore }) {
  if (!rankBefore || rankBefore === me.rank) return "";
  return rankBefore > me.rank ? ` ▲ ${rankBefore - me.rank}` : ` ▼ ${me.rank - rankBefore}`;
}

function lobbyFacts({ view, player }) {
  const { across, down } = examples(view.notation);
  return [
    [gettext("Your table"), player ? String(player.table) : ""],
    [gettext("Players"), number(view.players)],
    [gettext("Time for a turn"), display(view.clock_s * 1000)],
    [gettext("Across"), `${across} →`],
    [gettext("Down"), `${down} ↓`],
  ];
}

/** "Slip 2 · received 20:41:07" */
export function receiptText(slip) {
  const time = timeOfDay(slip.received);
  if (!slip.in_time) return fill(gettext("Received %(time)s, after time was up."), { time });
  return fill(gettext("Slip %(version)s · received %(time)s"), { time, version: slip.version });
}

function showStandings({ view, me }, screen) {
  const shown = screen === "finished" || screen === "placed";
  byId("standings").hidden = !shown || !view.standings.length;
  if (!shown) return;
  byId("standing-rows").replaceChildren(...view.standings.map((line) => {
    const row = make("tr", "", me && me.table === line.table ? "mine" : "");
    const player = make("th", nameText(line));
    player.scope = "row";
    row.append(make("td", rankText(line)), player, make("td", number(line.total)), make("td", number(line.negative)), make("td", percent(line.percent)));
    return row;
  }));
}
