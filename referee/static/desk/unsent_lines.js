// Typed lines without an answer yet: they are sent one after the other, in the order in which they were typed, and kept
// until the server has answered. Refused lines are kept to be corrected.

const TABLES = /^0*[1-9]\d{0,5}(?:[+,]0*[1-9]\d{0,5})*(?![0-9a-z])/i;

/** Whether a line repeats what was typed before. */
export const isSame = (line) => /[=+]$/.test(line.trim());

/** The tables that a line begins with; `offered` where it names none. */
export function tablesOf(line, offered) {
  const found = TABLES.exec(line.trim());
  if (found) return found[0].split(/[+,]/).map(Number);
  return offered ? [offered] : [];
}

/** The part of a line behind its tables. */
export const contentOf = (line) => line.trim().replace(TABLES, "").replace(/^[\s,;:.]+/, "");

/** The table to offer after `from`: the next missing one, upwards (`step` 1) or downwards (-1), then from the other end. */
export function nextMissing(missing, from, step = 1) {
  const ahead = step > 0 ? missing.filter((table) => table > from) : missing.filter((table) => table < from).reverse();
  if (ahead.length) return ahead[0];
  return (step > 0 ? missing[0] : missing.at(-1)) ?? null;
}

const NOTHING = { waiting: [], held: [], typed: [], turn: null, answered: "" };
/** The question whose answer holds for all lines of a turn. */
const ONCE_A_TURN = "closed";

export class Lines {
  constructor(key, storage) {
    this.key = `multiplo.lines.${key}`;
    this.storage = storage;
    Object.assign(this, NOTHING, this.read());
  }

  read() {
    try {
      const { waiting, held, typed, turn, answered = "" } = JSON.parse(this.storage.getItem(this.key));
      return [waiting, held, typed].every(Array.isArray) ? { waiting, held, typed, turn, answered } : {};
    } catch {
      return {};
    }
  }

  write() {
    const { waiting, held, typed, turn, answered } = this;
    try {
      this.storage.setItem(this.key, JSON.stringify({ waiting, held, typed, turn, answered }));
    } catch {
      // Storage full or forbidden: the lines are kept as long as the page is open.
    }
  }

  /** Start another turn: waiting and refused lines keep their own turn, the list of typed lines starts empty. */
  begin(turn) {
    if (turn === this.turn) return;
    this.turn = turn;
    this.typed = [];
    this.answered = "";
    this.write();
  }

  /** The judge has answered yes to a question of the server: the line is sent again with the answer. */
  answer({ id, answered = "" }, question) {
    if (question === ONCE_A_TURN) this.answered = question;
    const all = [answered, question].filter(Boolean).join(",");
    this.waiting = this.waiting.map((line) => (line.id === id ? { ...line, answered: all } : line));
    this.write();
  }

  /** Queue a line; it has id, line, offered, same, group, turn, answered (names of questions, separated by commas). */
  put(line) {
    this.waiting = [...this.waiting, line];
    this.write();
  }

  get first() {
    return this.waiting[0] ?? null;
  }

  /** The server has it: `answer` has sentence, said, tables, versions. Refused lines of these tables are dropped. */
  taken(id, answer) {
    const line = this.remove(id);
    const { sentence, said = "", tables = [], versions = [] } = answer;
    this.held = this.held.filter(({ line, offered }) => !tablesOf(line, offered).some((table) => tables.includes(table)));
    if (tables.length && line?.turn === this.turn) this.typed = [...this.typed, { sentence, said, tables, versions }];
    this.write();
  }

  /** The server has refused it. */
  refused(id, sentence) {
    const line = this.remove(id);
    if (line) this.held = [...this.held, { ...line, sentence }];
    this.write();
    return line;
  }

  /** Keep the part of a line that was refused while the server took the rest; it has the fields of `put` and a sentence. */
  hold(line) {
    this.held = [...this.held, line];
    this.write();
  }

  /** The line that was refused last as {id, text}, whole, with its table; null when there is none. */
  get last() {
    const last = this.held.at(-1);
    if (!last) return null;
    const isWhole = TABLES.test(last.line) || !last.offered;
    return { id: last.id, text: isWhole ? last.line : `${last.offered} ${last.line}` };
  }

  /** Drop a refused line, because it is typed again or given up. */
  drop(id) {
    this.held = this.held.filter((other) => other.id !== id);
    this.write();
  }

  remove(id) {
    const line = this.waiting.find((other) => other.id === id);
    this.waiting = this.waiting.filter((other) => other.id !== id);
    return line;
  }

  /** Tables that are typed already, though the page may not know it yet. */
  get done() {
    const waiting = this.waiting.flatMap(({ line, offered }) => tablesOf(line, offered));
    return new Set([...waiting, ...this.typed.flatMap(({ tables }) => tables)]);
  }

  /** The text that this desk typed for that version of a table's slip, or null. */
  textFor(table, version) {
    const of = this.typed.findLast(({ tables }) => tables.includes(table));
    return of && of.versions[of.tables.indexOf(table)] === version ? of.said : null;
  }
}
