// The state of the phone and the screen that follows from it. Pure functions: a state and an event give the next state.

/** After the deadline the server's message is awaited this long before the phone shows the turn as closed. */
const OVERTIME_MS = 1500;

/** The state before the first message. */
export const START = {
  status: "connecting",
  failures: 0,
  view: null,
  seq: -1,
  player: null,
  me: null,
  hasPlace: true,
  receipt: null,
  refusal: null,
  rankBefore: null,
  outdated: "",
  outage: "",
};

/** A slip as it is shown with its receipt: from `hello` or `me` of the server (`found`), in turn `turn`. */
export const receiptOf = (found, turn) => ({
  turn: found.turn === undefined ? turn : found.turn,
  word: found.word || "",
  ref: found.ref || "",
  hook: found.hook || "",
  score: found.score === undefined ? found.declared : found.score,
  source: found.source || "phone",
  version: found.version,
  received: found.received === undefined ? found.received_at : found.received,
  in_time: found.in_time,
});

/** The screens of a phone that is not in the game any more. */
export const AWAY = ["removed", "moved", "ended"];

const newer = (a, b) => (a && b && a.turn === b.turn && a.version > b.version ? a : b);

function withView(state, { seq, view }) {
  const before = state.view;
  if (!before) return { ...state, seq, view };
  const sameGame = before.game_number === view.game_number;
  if (sameGame && seq < state.seq) return state;
  const kept = sameGame ? state.receipt : null;
  const me = sameGame ? state.me : null;
  const hasPlace = sameGame ? state.hasPlace : true;
  return { ...state, seq, view, me, hasPlace, receipt: kept, refusal: sameGame && before.turn === view.turn ? state.refusal : null };
}

/** A connection that is new may lead to another server: it says again if there is an outage. */
function withHello(state, { player, turn, slip }) {
  return { ...state, player, outage: "", receipt: slip ? newer(state.receipt, receiptOf(slip, turn)) : state.receipt };
}

/** The rank before the last placed turn is kept, to tell how many places the player has won or lost. */
function withMe(state, me) {
  const receipt = me.slip ? newer(state.receipt, receiptOf(me.slip, me.turn)) : state.receipt;
  const next = me.verdict && state.me?.verdict && me.verdict.turn === state.me.verdict.turn + 1;
  const sameTurn = me.verdict?.turn === state.me?.verdict?.turn;
  return { ...state, me, hasPlace: true, receipt, rankBefore: next ? state.me.rank : sameTurn ? state.rankBefore : null };
}

/** What the clock of this view shows at the server's time `now`, or null. */
function leftAt({ phase, deadline, remaining_ms: remaining }, now) {
  if (phase === "paused") return remaining;
  return phase === "running" && deadline ? Math.max(0, deadline - now) : null;
}

const REACTIONS = {
  status: (state, { status, failures }) => (["moved", "removed"].includes(state.status) ? state : { ...state, status, failures }),
  state: withView,
  count: (state, { slips_in, players }) => (state.view ? { ...state, view: { ...state.view, slips_in, players } } : state),
  hello: withHello,
  me: withMe,
  no_place: (state) => ({ ...state, me: null, hasPlace: false }),
  ack: (state, { slip, version, received, in_time }) => ({
    ...state,
    refusal: null,
    receipt: newer(state.receipt, { ...receiptOf(slip, slip.turn), version, received, in_time, left: state.view ? leftAt(state.view, received) : null }),
  }),
  refused: (state, { why, text }) => ({ ...state, refusal: { why, text } }),
  lost: (state) => ({ ...state, receipt: null }),
  edited: (state) => (state.refusal ? { ...state, refusal: null } : state),
  moved: (state) => (state.status === "removed" ? state : { ...state, status: "moved" }),
  removed: (state) => ({ ...state, status: "removed" }),
  outdated: (state, { text }) => ({ ...state, outdated: text }),
  outage: (state, { text }) => ({ ...state, outage: text }),
};

/** The state after a message of the server or an event of the page, each with its kind in `t`. */
export function reduce(state, event) {
  const reaction = REACTIONS[event.t];
  return reaction ? reaction(state, event) : state;
}

/**
 * Which screen to show at the server's time `now`: connecting, lobby, drawn, running, paused, closed, placed,
 * finished, moved (another phone has the table), removed (the judge has removed the player) or ended (the seat is void).
 */
export function screenOf(state, now) {
  if (AWAY.includes(state.status)) return state.status;
  if (!state.view) return "connecting";
  const { phase, deadline } = state.view;
  const ranOut = phase === "running" && now !== null && deadline !== null && now - deadline > OVERTIME_MS;
  return ranOut ? "closed" : phase;
}

/** Whether the player is disqualified in the game that the phone shows. */
export const isDisqualified = ({ me }) => me !== null && typeof me.disqualified_from === "number";

/** Whether the turn of the room began before the player came. */
export const isLate = ({ me, view }) => Boolean(me && view?.turn) && me.first_turn > view.turn;

/** Whether the player has left the game before the turn of the room. */
export const hasLeft = ({ me, view }) => Boolean(view) && typeof me?.last_turn === "number" && view.turn > me.last_turn;

/** Whether the player hands in slips in the turn of the room. */
export const playsNow = (state) => !isLate(state) && !isOut(state);

/** Whether the player hands in no slips any more: disqualified, gone, or without a place in the game. */
export const isOut = (state) => isDisqualified(state) || hasLeft(state) || !state.hasPlace;

/** Whether a slip can be written now. */
export const canWrite = (screen) => screen === "running" || screen === "paused";

/** Whether to show that there is no connection; not during the first attempt to connect. */
export const isOffline = (state) => state.status === "offline" || (state.status === "connecting" && (state.failures > 0 || state.view !== null));

/** The own slip of the turn on the board or being judged, as far as this phone knows; null without one. */
export const ownSlip = (state) => (state.receipt && state.view && state.receipt.turn === state.view.turn ? state.receipt : null);

/** The own verdict when it belongs to the last turn placed, else null. */
export function ownVerdict(state) {
  const { me, view } = state;
  return me?.verdict && view?.last && me.verdict.turn === view.last.turn ? me.verdict : null;
}
