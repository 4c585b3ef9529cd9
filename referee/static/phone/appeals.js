// Appeals: the state of the player's appeals, and a new one. An appeal without an answer is kept in the browser and sent
// again with the same id, so that none is lost and none counts twice.
import { parseReference } from "../common/reference.js";
import { fill, gettext, number } from "../common/text.js";
import { plain } from "../common/tiles.js";
import { newId } from "./queue.js";

const AGAIN_MS = 5000;
const SHOWN_IN = new Set(["closed", "placed", "drawn", "finished"]);
const byId = (id) => document.getElementById(id);

/** Whether the player may appeal at the server's time `now`; `appeal` is null for never, `until` null for no known end. */
export const mayAppeal = (appeal, now) => Boolean(appeal) && (appeal.until === null || (now !== null && now <= appeal.until));

/** The appeals without an answer, in the browser's store. */
export class AppealQueue {
  constructor(key, storage) {
    this.key = `multiplo.appeals.${key}`;
    this.storage = storage;
    this.waiting = this.read();
  }

  read() {
    try {
      const found = JSON.parse(this.storage.getItem(this.key));
      return Array.isArray(found) ? found.filter((one) => one?.id) : [];
    } catch {
      return [];
    }
  }

  keep(waiting) {
    this.waiting = waiting;
    try {
      this.storage.setItem(this.key, JSON.stringify(waiting));
    } catch {
      // Storage full or forbidden: the appeal is kept as long as the page is open.
    }
  }

  /** Queue an appeal; a second one of the same turn is ignored. */
  put(appeal) {
    if (this.of(appeal.game, appeal.turn)) return;
    this.keep([...this.waiting, appeal]);
  }

  of(game, turn) {
    return this.waiting.find((one) => one.game === game && one.turn === turn) || null;
  }

  drop(id) {
    this.keep(this.waiting.filter((one) => one.id !== id));
  }
}

const minute = (ms) => new Intl.DateTimeFormat(document.documentElement.lang || undefined, { hour: "2-digit", minute: "2-digit", hour12: false }).format(new Date(ms));

function limitText(appeal) {
  if (appeal.until !== null) return fill(gettext("You may appeal until %(time)s."), { time: minute(appeal.until) });
  return fill(gettext("You may appeal until %(minutes)s minutes after the last turn."), { minutes: appeal.end_minutes });
}

function stateText({ turn, word, state, answer }) {
  const named = { turn, word: plain(word || ""), answer };
  if (state === "open") return fill(gettext("Turn %(turn)s, %(word)s: the judge has your appeal."), named);
  if (state === "upheld") return fill(gettext("Turn %(turn)s, %(word)s: you are right. %(answer)s"), named);
  return fill(gettext("Turn %(turn)s, %(word)s: the verdict stands. %(answer)s"), named);
}

function item(text, className) {
  return Object.assign(document.createElement("li"), { textContent: text, className: className || "" });
}

/** The list of appeals under the player's result, and the dialog for a new one. */
export class Appeals {
  constructor({ seat, storage, path, listPath, now, onAnswer }) {
    Object.assign(this, { path, listPath, now, onAnswer });
    this.queue = new AppealQueue(seat, storage);
    this.refusal = "";
    this.made = [];
    this.open = [];
    this.state = null;
    byId("appeal-open").addEventListener("click", () => this.ask());
    byId("appeal-close").addEventListener("click", () => byId("appeal-dialog").close());
    byId("appeal-form").addEventListener("submit", (event) => this.send(event));
    window.addEventListener("online", () => this.flush());
  }

  /** Show the appeals that belong to this screen. */
  show(state, screen) {
    this.state = state;
    const { me, view } = state;
    const verdict = me?.verdict;
    const known = (me?.appeals) || [];
    const told = [...this.made.filter((one) => one.game === (view?.game_number) && !known.some((other) => other.turn === one.turn)), ...known];
    const changes = (me?.changes) || [];
    const limit = verdict?.appeal;
    const done = verdict && told.some((one) => one.turn === verdict.turn);
    const may = mayAppeal(limit, this.now()) && !(done && verdict.turn === 1);
    byId("appeals").hidden = !view || !SHOWN_IN.has(screen) || !(may || told.length || changes.length || this.queue.waiting.length);
    byId("appeal-open").hidden = !may;
    this.write("appeal-limit", may && !done ? limitText(limit) : "");
    this.write("appeal-refused", this.refusal);
    byId("appeal-list").replaceChildren(
      ...changes.map((one) => item(fill(gettext("Turn %(turn)s was judged again: %(before)s → %(after)s points. %(why)s"), { turn: one.turn, before: number(one.before), after: number(one.after), why: one.text }), "changed")),
      ...this.queue.waiting.map((one) => item(fill(gettext("Turn %(turn)s: your appeal is not sent yet; it will be sent when the network is back."), { turn: one.turn }))),
      ...told.map((one) => item(stateText(one), one.state)),
    );
  }

  write(id, text) {
    if (byId(id).textContent !== text) byId(id).textContent = text;
  }

  /** Fetch the turns, and let the player choose one. */
  async ask() {
    this.refusal = "";
    let found = null;
    try {
      const answer = await fetch(this.listPath, { cache: "no-store" });
      found = answer.ok ? await answer.json() : null;
    } catch {
      found = null;
    }
    const open = found ? found.turns.filter((one) => !one.appealed && mayAppeal(one.appeal, this.now())) : this.lastTurn();
    this.open = open;
    this.game = found ? found.game : this.state.view.game_number;
    this.write("appeal-none", open.length ? "" : gettext("There is no turn against which you may still appeal."));
    byId("appeal-fields").hidden = !open.length;
    byId("appeal-turn").replaceChildren(...open.map((one) => this.option(one)));
    byId("appeal-sentence").value = "";
    byId("appeal-dialog").showModal();
  }

  /** Without the network only the last verdict is known. */
  lastTurn() {
    const { verdict, appeals } = this.state.me;
    return verdict && !(appeals || []).some((one) => one.turn === verdict.turn) ? [verdict] : [];
  }

  option(one) {
    const notation = this.state.view.notation;
    const ref = parseReference(one.ref || "", notation) ? one.ref : "";
    const text = fill(gettext("Turn %(turn)s: %(word)s, points: %(points)s"), { turn: one.turn, word: `${plain(one.word || "")} ${ref}`.trim() || "—", points: number(one.points) });
    return Object.assign(document.createElement("option"), { value: String(one.turn), textContent: text });
  }

  send(event) {
    event.preventDefault();
    const turn = Number(byId("appeal-turn").value);
    if (!turn) return;
    const { word } = this.open.find((one) => one.turn === turn) || {};
    this.queue.put({ id: newId(), game: this.game, turn, word, sentence: byId("appeal-sentence").value.slice(0, 300) });
    byId("appeal-dialog").close();
    this.flush();
  }

  /** Send all waiting appeals; those without an answer are tried again. */
  async flush() {
    clearTimeout(this.timer);
    for (const one of [...this.queue.waiting]) await this.post(one);
    if (this.queue.waiting.length) this.timer = setTimeout(() => this.flush(), AGAIN_MS);
    if (this.state) this.onAnswer();
  }

  async post(one) {
    try {
      const answer = await fetch(this.path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(one) });
      if (answer.status >= 500 || answer.status === 429) return;
      const { t, text } = await answer.json();
      this.queue.drop(one.id);
      this.refusal = t === "appealed" ? "" : text;
      if (t === "appealed") this.made.push({ ...one, state: "open" });
    } catch {
      // It stays in the queue.
    }
  }
}
