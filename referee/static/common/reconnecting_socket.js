// A WebSocket that reconnects. The first retry waits a random moment, so that hundreds of phones do not connect at once
// to a server that has just restarted; later retries wait longer and longer.

const FIRST_RETRY_MS = 3000;
const SERVICE_RESTART = 1012; // the server closes the socket on purpose, and another process or room is there at once
const MOVE_MS = 800;
const LONGEST_MS = 15000;
const FIRST_MESSAGE_MS = 8000;

/** Milliseconds to wait before retry number `attempt` (1, 2 ...) after the closing code; `chance` in [0, 1). */
export const waitBefore = (attempt, chance, code = 0) =>
  attempt <= 1 ? chance * (code === SERVICE_RESTART ? MOVE_MS : FIRST_RETRY_MS) : Math.min(LONGEST_MS, 1000 * 2 ** (attempt - 1)) * (0.75 + chance / 4);

/**
 * Keeps a socket to `path` open.
 *
 * `onFrame(frame)` gets each parsed message, `onStatus("connecting" | "online" | "offline", failures)` each change;
 * `failures` counts the attempts without a message since the last message. `isFinal(code)` says which closing codes are
 * final: then the status is "ended" and there is no retry.
 */
export class ReconnectingSocket {
  constructor({ path, onFrame, onStatus, isFinal = () => false, random = Math.random }) {
    Object.assign(this, { path, onFrame, onStatus, isFinal, random });
    this.attempt = 0;
    this.failures = 0;
    this.timer = null;
    this.socket = null;
    this.hasReceived = false;
  }

  /** Connect now; does nothing if there is a socket already. */
  open() {
    if (this.socket) return;
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket = socket;
    this.hasReceived = false;
    this.onStatus("connecting", this.failures);
    const tooLong = setTimeout(() => this.lose(socket, 0), FIRST_MESSAGE_MS);
    socket.onmessage = (event) => {
      clearTimeout(tooLong);
      this.confirmOpen();
      this.onFrame(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      clearTimeout(tooLong);
      this.lose(socket, event.code);
    };
  }

  /** Report the connection with the first message: a proxy may open a socket and let nothing through. */
  confirmOpen() {
    if (this.hasReceived) return;
    this.hasReceived = true;
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

  /** Drop a socket that gets no answer, without waiting for TCP to time out. */
  restart() {
    if (this.socket) this.lose(this.socket, 0);
  }

  /** Connect at once, because the page is visible again. */
  openNow() {
    if (!this.socket) this.open();
  }

  /** Connect again to another path. */
  move(path) {
    if (this.path === path) return;
    this.path = path;
    if (this.socket) this.lose(this.socket, SERVICE_RESTART);
  }

  /** Replace the socket after a random moment, because the network of the room is back. */
  reconnect() {
    this.attempt = 0;
    if (this.socket) return this.lose(this.socket, 0);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), waitBefore(1, this.random()));
    return undefined;
  }

  lose(socket, code) {
    if (this.socket !== socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
    this.socket = null;
    this.attempt += 1;
    if (!this.hasReceived) this.failures += 1;
    if (this.isFinal(code)) {
      this.onStatus("ended", code);
      return;
    }
    this.timer = setTimeout(() => this.open(), waitBefore(this.attempt, this.random(), code));
    this.onStatus("offline", this.failures);
  }
}
