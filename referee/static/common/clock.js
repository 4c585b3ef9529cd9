// The server's time in the page, measured by ping and kept by the browser's monotonic clock, so a phone whose own
// clock is wrong shows the same seconds as the wall.

const EXCHANGES = 5;
const JITTER_MS = 250;
const JUMP_MS = 1000;

/** The server's time in this page. `monotonic` gives milliseconds that never jump. */
export class ServerClock {
  constructor(monotonic = () => performance.now()) {
    this.monotonic = monotonic;
    this.offset = null;
    this.measured = false;
    this.trip = null;
    this.round = [];
  }

  /**
   * Use the time `server` (ms) of a message that has just come; it counts until an exchange is measured. Returns true
   * if it differs so much from the measured time that the server's clock may have been set: then measure again.
   */
  hint(server) {
    const offset = server - this.monotonic();
    if (this.measured) return Math.abs(offset - this.offset) > JUMP_MS;
    if (this.offset === null || offset > this.offset) this.offset = offset;
    return false;
  }

  /** Start a new round of exchanges; the old offset counts until the round is over. */
  remeasure() {
    this.round = [];
  }

  /**
   * Use the answer to a ping sent at `sent` (monotonic ms) and answered at `server` (ms). Of a round of five exchanges
   * the one with the shortest round trip counts. An exchange that contradicts the present offset by more than half its
   * round trip counts at once, because the server's clock was set. Returns whether another exchange is wanted.
   */
  exchange(sent, server) {
    const received = this.monotonic();
    const [trip, offset] = [received - sent, server - (sent + received) / 2];
    if (this.measured && Math.abs(offset - this.offset) > trip / 2 + JITTER_MS) {
      this.measured = false;
      this.round = [];
    }
    this.round.push({ trip, offset });
    const best = this.round.reduce((a, b) => (b.trip < a.trip ? b : a));
    this.trip = Math.round(best.trip);
    if (!this.measured || this.round.length >= EXCHANGES) {
      this.offset = best.offset;
      this.measured = this.round.length >= EXCHANGES || this.measured;
    }
    return this.round.length < EXCHANGES;
  }

  /** Milliseconds since 1970 on the server; null before the first message. */
  now() {
    return this.offset === null ? null : this.monotonic() + this.offset;
  }
}

/** Milliseconds left in a view (formats as the server sends them) at the server's time `now`; never below 0. */
export function remaining(view, now) {
  if (!view) return 0;
  if (view.phase === "paused") return Math.max(0, view.remaining_ms || 0);
  if (view.phase !== "running" || view.deadline === null || now === null) return 0;
  return Math.max(0, view.deadline - now);
}

/** The time left as "2:14". A second is shown until it has passed, so 0:00 means that the time is up. */
export function display(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Milliseconds until the display changes. */
export const untilNextSecond = (ms) => (ms <= 0 ? 1000 : ms % 1000 || 1000);

/** The calls (seconds) that fall between two readings; none if a reading is null. */
export const callsBetween = (before, after, calls) =>
  before === null || after === null ? [] : calls.filter((call) => before > call * 1000 && after <= call * 1000);

/** The urgency as a CSS class: "last" after the last call, "soon" after the one before it, else "". */
export function urgency(ms, calls) {
  const marks = [...calls].sort((a, b) => a - b);
  if (marks.length && ms <= marks[0] * 1000) return "last";
  return marks.length > 1 && ms <= marks[1] * 1000 ? "soon" : "";
}
