// The phone's screen around the slip: header, notices, own result, standings. Reads a state, writes the page.
import { display } from "../common/clock.js";
import { arrow, parseReference } from "../common/reference.js";
import { fill, gettext, nameText, ngettext, number, percent, rankText, timeOfDay } from "../common/text.js";
import { counted, plain } from "../common/tiles.js";
import { examples } from "./slip_check.js";
import { isDisqualified, isOffline, ownSlip, ownVerdict } from "./state.js";

const byId = (id) => document.getElementById(id);

function make(tag, text, className) {
  return Object.assign(document.createElement(tag), { textContent: text, className: className || "" });
}

/** Set the text only when it changes: a live region would otherwise be read out again. */
export function setText(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

function notices(state) {
  const { view, player } = state;
  const name = player ? player.name : "";
  const table = player ? player.table : "";
  return {
    connecting: [gettext("One moment"), gettext("Connecting to the game …")],
    lobby: [
      name ? fill(gettext("Welcome, %(name)s"), { name }) : gettext("Welcome"),
      gettext("The first rack appears here by itself. Keep this page open."),
    ],
    drawn: [fill(gettext("Turn %(turn)s"), { turn: view ? view.turn : "" }), gettext("The judge is drawing the rack. It appears here by itself.")],
    paused: [gettext("The clock is paused"), gettext("The judge has paused the turn. You can go on writing.")],
    closed: [gettext("Time is up"), gettext("The judge is reading the slips.")],
    finished: [gettext("The game is over"), ending(view)],
    moved: [
      fill(gettext("Another phone plays at table %(table)s now"), { table }),
      gettext("If that is not you, take the table back or call the judge. What was sent is kept."),
    ],
    ended: [gettext("This phone is not in the game any more"), gettext("Join again with the code on the wall.")],
  };
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
  byId("main").dataset.screen = screen;
  showNotice(state, screen);
  showBanner(state);
  setText("turn", view?.turn ? fill(gettext("Turn %(turn)s"), { turn: view.turn }) : (view?.event_name) || byId("turn").textContent);
  byId("dictionary").hidden = !view?.open_dictionary;
  byId("position").hidden = !view || ["connecting", "lobby", "moved", "ended"].includes(screen);
  byId("rack").hidden = !view?.rack || screen === "finished";
  byId("stock").hidden = byId("rack").hidden || !view.stock;
  setText("stock", view?.stock ? fill(gettext("One more tile of your choice: %(tiles)s"), { tiles: counted(view.stock) }) : "");
  byId("slip").hidden = !["running", "paused"].includes(screen) || isDisqualified(state);
  showResult(state, screen);
  showStandings(state, screen);
}

function showNotice(state, screen) {
  const notice = notices(state)[screen];
  byId("notice").hidden = !notice;
  if (!notice) return;
  setText("notice-title", notice[0]);
  setText("notice-text", notice[1]);
  byId("notice-link").hidden = screen !== "moved" && screen !== "ended";
  if (screen === "ended") setText("notice-link", gettext("Join again"));
}

/** The sentence above the screen, empty when there is nothing to say. */
export function bannerText(state) {
  if (isOffline(state)) return gettext("No connection: your draft is kept. A slip that was sent will arrive when the network is back.");
  return state.outdated || disqualifiedText(state);
}

function disqualifiedText(state) {
  if (!isDisqualified(state)) return "";
  const sentence = gettext("You are disqualified from turn %(turn)s on: you are not in the ranking and hand in no more slips. The judge can tell you why.");
  return fill(sentence, { turn: state.me.disqualified_from });
}

function showBanner(state) {
  const text = bannerText(state);
  byId("banner").hidden = !text;
  setText("banner", text);
}

/** "CESTAI 12C →"; `ref` may be crossing letters. */
function move(word, ref, notation) {
  const place = parseReference(ref || "", notation);
  return [plain(word || ""), ref, place ? arrow(place.across) : ""].filter(Boolean).join(" ");
}

const RESULTS = { valid: "ok", rescued: "warn", zero: "bad" };

function showResult(state, screen) {
  const shown = own(state, screen);
  const rows = facts(state, screen);
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
  if (screen === "closed") return waitingSlip(state);
  if (screen === "finished") return finalResult(state);
  return ["placed", "drawn"].includes(screen) && state.view.last ? ownResult(state) : null;
}

function waitingSlip(state) {
  const slip = ownSlip(state);
  const title = gettext("Your slip");
  if (!slip) return { title, line: "—", text: gettext("No slip of yours has arrived.") };
  return { title, line: move(slip.word, slip.ref || slip.hook, state.view.notation), text: receiptText(slip, false) };
}

function ownResult(state) {
  const verdict = ownVerdict(state);
  const title = fill(gettext("Your slip in turn %(turn)s"), { turn: state.view.last.turn });
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
  if (isDisqualified(state)) return gettext("You have no result in this turn.");
  return me && me.first_turn > view.last.turn ? gettext("You were not in this turn yet.") : gettext("Your result is on its way.");
}

function finalResult({ view, me }) {
  if (!me?.rank) return null;
  const text = [belowTop(me), me.event_rank ? overallOf(me) : ""].filter(Boolean).join(" · ");
  return { title: gettext("Your result"), tone: "ok", points: me.total, line: rankOf(me, view), text };
}

const rankOf = (me, view) => fill(gettext("Rank %(rank)s of %(players)s"), { rank: me.rank, players: view.standings_count });

const overallOf = (me) => fill(gettext("rank %(rank)s of %(players)s in all games"), { rank: me.event_rank, players: me.event_players });

const belowTop = (me) => fill(gettext("%(negative)s to the top, %(percent)s of it"), { negative: number(me.negative), percent: percent(me.percent) });

function facts(state, screen) {
  if (screen === "lobby") return lobbyFacts(state);
  if (!["placed", "drawn"].includes(screen) || !state.view.last) return [];
  const { view, me } = state;
  const { last } = view;
  const rows = [[gettext("On the board"), last.word ? `${move(last.word, last.ref, view.notation)} · ${number(last.score)}` : gettext("nothing")]];
  rows.push([gettext("Best possible"), number(last.top)]);
  if (last.solo) rows.push([gettext("Solo"), last.solo]);
  if (me?.rank) {
    rows.push([gettext("Your rank"), fill(gettext("%(rank)s of %(players)s"), { rank: me.rank, players: view.standings_count })]);
    rows.push([gettext("Your total"), number(me.total)]);
    if (me.event_rank) rows.push([gettext("In all games"), fill(gettext("%(rank)s of %(players)s"), { rank: me.event_rank, players: me.event_players })]);
    rows.push([gettext("Negative · percent"), `${number(me.negative)} · ${percent(me.percent)}`]);
  }
  return rows;
}

function lobbyFacts({ view, player }) {
  const { across, down } = examples(view.notation);
  return [
    [gettext("Your table"), player ? String(player.table) : ""],
    [gettext("Players"), number(view.players)],
    [gettext("Time for a turn"), display(view.clock_s * 1000)],
    [gettext("Across is written"), `→ ${across}`],
    [gettext("Down is written"), `↓ ${down}`],
  ];
}

/** "Slip 2 · received 20:41:07 · you may change it" */
export function receiptText(slip, open = true) {
  const time = timeOfDay(slip.received);
  if (!slip.in_time) return fill(gettext("Received %(time)s, after time was up."), { time });
  const named = { time, version: slip.version };
  return open
    ? fill(gettext("Slip %(version)s · received %(time)s · you may change it"), named)
    : fill(gettext("Slip %(version)s · received %(time)s"), named);
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
