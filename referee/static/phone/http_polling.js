// The fallback where WebSockets are blocked: the same messages over HTTP, polled every few seconds.

const EVERY_MS = 3000;
const KINDS = ["outdated", "hello", "state", "count", "me"];

/** Polls `statePath` for the messages of the socket and posts slips to `slipPath`. */
export class HttpPolling {
  constructor({ statePath, slipPath, onFrame, onStatus }) {
    Object.assign(this, { statePath, slipPath, onFrame, onStatus });
    this.running = false;
    this.tag = "";
  }

  start() {
    if (this.running) return;
    this.running = true;
    this.tag = "";
    this.request();
  }

  stop() {
    this.running = false;
    clearTimeout(this.timer);
  }

  async request() {
    const sent = performance.now();
    try {
      const answer = await fetch(this.statePath, { headers: this.tag ? { "If-None-Match": this.tag } : {}, cache: "no-store" });
      this.handle(answer.status === 200 ? await answer.json() : null, answer, sent);
    } catch {
      if (this.running) this.onStatus("offline");
    }
    if (this.running) this.timer = setTimeout(() => this.request(), EVERY_MS);
  }

  handle(frames, answer, sent) {
    if (!this.running) return;
    if (answer.status === 401) return this.onStatus("ended");
    if (answer.status >= 400) return this.onStatus("offline");
    this.onStatus("polling");
    if (!frames) return;
    this.tag = answer.headers.get("ETag") || "";
    for (const kind of KINDS) if (frames[kind]) this.onFrame(frames[kind], sent);
  }

  /** Post a slip; the answer is handled like a frame. False if polling is not running. */
  send(frame) {
    if (!this.running) return false;
    this.post(frame);
    return true;
  }

  async post(frame) {
    try {
      const answer = await fetch(this.slipPath, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(frame),
      });
      if (answer.status < 500) this.onFrame(await answer.json(), performance.now());
    } catch {
      // The slip stays in the queue and goes out with the next request.
    }
  }
}
