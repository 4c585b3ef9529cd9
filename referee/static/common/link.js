// A WebSocket that comes back. The first new try waits a random moment, so that a hall of phones does not storm a
// server that has just restarted; later ones wait longer and longer.

const SPREAD_MS = 3000;
const LONGEST_MS = 15000;
const GREETING_MS = 8000;

/** How long to wait before try number `attempt` (1, 2 ...); `chance` in [0, 1). */
export const waitBefore = (attempt, chance) =>
  attempt <= 1 ? chance * SPREAD_MS : Math.min(LONGEST_MS, 1000 * 2 ** (attempt - 1)) * (0.75 + chance / 4);

/**
 * Keeps a socket to `path` open.
 *
 * `onFrame(frame)` gets each parsed message, `onStatus("connecting" | "online" | "offline", failures)` each change;
 * `failures` counts tries in which not one message came, since the last one in which some did. `isFinal(code)` tells which closing codes
 * mean that there is nothing to come back to: then the status is "ended".
 */
export class Link {
  constructor({ path, onFrame, onStatus, isFinal = () => false, random = Math.random }) {
    Object.assign(this, { path, onFrame, onStatus, isFinal, random });
    this.attempt = 0;
    this.failures = 0;
    this.timer = null;
    this.socket = null;
    this.spoken = false;
  }

  /** Connect now; harmless when it is connected or about to be. */
  open() {
    if (this.socket) return;
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket = socket;
    this.spoken = false;
    this.onStatus("connecting", this.failures);
    const tooLong = setTimeout(() => this.dropped(socket, 0), GREETING_MS);
    socket.onmessage = (event) => {
      clearTimeout(tooLong);
      this.greeted();
      this.onFrame(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      clearTimeout(tooLong);
      this.dropped(socket, event.code);
    };
  }

  /** The line stands when the first message has come: a proxy may open it and let nothing through. */
  greeted() {
    if (this.spoken) return;
    this.spoken = true;
    this.attempt = 0;
    this.failures = 0;
    this.onStatus("online", 0);
  }

  /** Send a message; false when there is no open socket. */
  send(frame) {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** The other side seems dead: do not wait until TCP finds out. */
  restart() {
    if (this.socket) this.dropped(this.socket, 0);
  }

  /** The page is seen again: try at once instead of later. */
  hurry() {
    if (!this.socket) this.open();
  }

  /** The network is back, for everybody in the hall: whatever socket there is is dead, and a new one comes soon. */
  renew() {
    this.attempt = 0;
    if (this.socket) return this.dropped(this.socket, 0);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), waitBefore(1, this.random()));
    return undefined;
  }

  dropped(socket, code) {
    if (this.socket !== socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
    this.socket = null;
    this.attempt += 1;
    if (!this.spoken) this.failures += 1;
    if (this.isFinal(code)) {
      this.onStatus("ended", code);
      return;
    }
    this.timer = setTimeout(() => this.open(), waitBefore(this.attempt, this.random()));
    this.onStatus("offline", this.failures);
  }
}
