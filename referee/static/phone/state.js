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
  receipt: null,
  refusal: null,
  outdated: "",
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

const newer = (a, b) => (a && b && a.turn === b.turn && a.version > b.version ? a : b);

function withView(state, { seq, view }) {
  const before = state.view;
  if (!before) return { ...state, seq, view };
  const sameGame = before.game_number === view.game_number;
  if (sameGame && seq < state.seq) return state;
  const kept = sameGame ? state.receipt : null;
  const me = sameGame ? state.me : null;
  return { ...state, seq, view, me, receipt: kept, refusal: sameGame && before.turn === view.turn ? state.refusal : null };
}

function withHello(state, { player, turn, slip }) {
  return { ...state, player, receipt: slip ? newer(state.receipt, receiptOf(slip, turn)) : state.receipt };
}

function withMe(state, me) {
  const receipt = me.slip ? newer(state.receipt, receiptOf(me.slip, me.turn)) : state.receipt;
  return { ...state, me, receipt };
}

const REACTIONS = {
  status: (state, { status, failures }) => (state.status === "moved" ? state : { ...state, status, failures }),
  state: withView,
  count: (state, { slips_in, players }) => (state.view ? { ...state, view: { ...state.view, slips_in, players } } : state),
  hello: withHello,
  me: withMe,
  ack: (state, { slip, version, received, in_time }) => ({
    ...state,
    refusal: null,
    receipt: newer(state.receipt, { ...receiptOf(slip, slip.turn), version, received, in_time }),
  }),
  refused: (state, { why, text }) => ({ ...state, refusal: { why, text } }),
  lost: (state) => ({ ...state, receipt: null }),
  edited: (state) => (state.refusal ? { ...state, refusal: null } : state),
  moved: (state) => ({ ...state, status: "moved" }),
  outdated: (state, { text }) => ({ ...state, outdated: text }),
};

/** The state after a message of the server or an event of the page, each with its kind in `t`. */
export function reduce(state, event) {
  const reaction = REACTIONS[event.t];
  return reaction ? reaction(state, event) : state;
}

/**
 * Which screen to show at the server's time `now`: connecting, lobby, drawn, running, paused, closed, placed,
 * finished, moved (another phone has the table) or ended (the seat is void).
 */
export function screenOf(state, now) {
  if (state.status === "moved" || state.status === "ended") return state.status;
  if (!state.view) return "connecting";
  const { phase, deadline } = state.view;
  const ranOut = phase === "running" && now !== null && deadline !== null && now - deadline > OVERTIME_MS;
  return ranOut ? "closed" : phase;
}

/** Whether the player is disqualified in the game that the phone shows. */
export const isDisqualified = ({ me }) => me !== null && typeof me.disqualified_from === "number";

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
