// The fallback where WebSockets are blocked: the same messages over HTTP, polled every few seconds.

const EVERY_MS = 3000;
const ANSWER_MS = 10000;
const KINDS = ["outdated", "hello", "state", "count", "me"];

/** Polls `statePath` for the messages of the socket and posts slips to `slipPath`. */
export class HttpPolling {
  constructor({ statePath, slipPath, onFrame, onStatus }) {
    Object.assign(this, { statePath, slipPath, onFrame, onStatus });
    this.running = false;
    this.tag = "";
    this.unposted = [];
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

  /** Post a slip after those before it; its answer is handled like a frame. False if it is posted already or cannot be. */
  send(frame) {
    if (!this.running || this.unposted.some(({ id }) => id === frame.id)) return false;
    this.unposted.push(frame);
    if (!this.posting) this.postAll();
    return true;
  }

  /** Post one slip after the other: of two requests, the server may read the later one first. */
  async postAll() {
    this.posting = true;
    while (this.running && this.unposted.length && (await this.post(this.unposted[0]))) this.unposted.shift();
    this.unposted = []; // what has no answer stays in the queue and goes out with the next request
    this.posting = false;
  }

  /** Whether there was an answer. */
  async post(frame) {
    const waiting = new AbortController();
    const tooLong = setTimeout(() => waiting.abort(), ANSWER_MS);
    try {
      const answer = await fetch(this.slipPath, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(frame),
        signal: waiting.signal,
      });
      if (answer.status >= 500) return false;
      this.onFrame(await answer.json(), performance.now());
      return true;
    } catch {
      return false;
    } finally {
      clearTimeout(tooLong);
    }
  }
}
