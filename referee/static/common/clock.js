// The clock of the page: the server's time, counted on by the browser's monotonic clock. A phone whose own clock is
// hours off shows the same seconds as the wall.

const EXCHANGES = 5;
const WOBBLE_MS = 250;
const STRANGE_MS = 1000;

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
   * A message that left the server at `server` ms has just come: good enough until an exchange is measured. Returns
   * whether it is so far from what was measured that the server's clock may have been set, and is to be asked anew.
   */
  hint(server) {
    const offset = server - this.monotonic();
    if (this.measured) return Math.abs(offset - this.offset) > STRANGE_MS;
    if (this.offset === null || offset > this.offset) this.offset = offset;
    return false;
  }

  /** Begin a new round of exchanges; the old offset counts until the round is over. */
  remeasure() {
    this.round = [];
  }

  /**
   * An answer to a ping sent at `sent` (monotonic ms), stamped `server` ms. Of a round of five the one with the least
   * round trip counts. One that shows the present offset to be wrong (it is never off by more than half its trip)
   * counts at once: the server's clock was set. Returns whether another exchange is wanted.
   */
  exchange(sent, server) {
    const received = this.monotonic();
    const [trip, offset] = [received - sent, server - (sent + received) / 2];
    if (this.measured && Math.abs(offset - this.offset) > trip / 2 + WOBBLE_MS) {
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

/** "2:14": a second is shown until it has passed, so that 0:00 means over. */
export function display(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Milliseconds until the display changes. */
export const untilNextSecond = (ms) => (ms <= 0 ? 1000 : ms % 1000 || 1000);

/** The calls (seconds) whose moment lies between two readings; a reading of null calls nothing. */
export const callsBetween = (before, after, calls) =>
  before === null || after === null ? [] : calls.filter((call) => before > call * 1000 && after <= call * 1000);

/** How urgent it is: "last" in the last call of all, "soon" from the last but one, "" before. */
export function urgency(ms, calls) {
  const marks = [...calls].sort((a, b) => a - b);
  if (marks.length && ms <= marks[0] * 1000) return "last";
  return marks.length > 1 && ms <= marks[1] * 1000 ? "soon" : "";
}
