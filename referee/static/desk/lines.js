// Lines that were typed and are not in yet: they go to the program one after the other, in the order in which they were
// typed, and are kept until it has answered. What it refuses is held for whoever typed it.

const TABLES = /^0*[1-9]\d{0,5}(?:[+,]0*[1-9]\d{0,5})*(?![0-9a-z])/i;

/** Whether a line repeats what was typed before. */
export const isSame = (line) => /[=+]$/.test(line.trim());

/** The tables that a line begins with; `offered` where it names none. */
export function tablesOf(line, offered) {
  const found = TABLES.exec(line.trim());
  if (found) return found[0].split(/[+,]/).map(Number);
  return offered ? [offered] : [];
}

/** What stands behind the tables. */
export const contentOf = (line) => line.trim().replace(TABLES, "").replace(/^[\s,;:.]+/, "");

/** The table to offer after `from`: the next one that is missing, by `step` 1 or -1, from the other end at the end. */
export function nextOf(missing, from, step = 1) {
  const ahead = step > 0 ? missing.filter((table) => table > from) : missing.filter((table) => table < from).reverse();
  if (ahead.length) return ahead[0];
  return (step > 0 ? missing[0] : missing.at(-1)) ?? null;
}

const NOTHING = { waiting: [], held: [], typed: [], turn: null };

export class Lines {
  constructor(key, storage) {
    this.key = `multiplo.lines.${key}`;
    this.storage = storage;
    Object.assign(this, NOTHING, this.read());
  }

  read() {
    try {
      const { waiting, held, typed, turn } = JSON.parse(this.storage.getItem(this.key));
      return [waiting, held, typed].every(Array.isArray) ? { waiting, held, typed, turn } : {};
    } catch {
      return {};
    }
  }

  write() {
    const { waiting, held, typed, turn } = this;
    try {
      this.storage.setItem(this.key, JSON.stringify({ waiting, held, typed, turn }));
    } catch {
      // Full or forbidden: the lines still live as long as the page does.
    }
  }

  /** Another turn is being played: what is still waiting or held keeps its own, what was typed is done with. */
  begin(turn) {
    if (turn === this.turn) return;
    this.turn = turn;
    this.typed = [];
    this.write();
  }

  /** Put a line in; it has id, line, offered, same, group, turn. */
  put(line) {
    this.waiting = [...this.waiting, line];
    this.write();
  }

  get first() {
    return this.waiting[0] ?? null;
  }

  /** The program has it: `answer` has sentence, said, tables, versions. What was held of these tables is settled. */
  taken(id, answer) {
    const line = this.out(id);
    const { sentence, said = "", tables = [], versions = [] } = answer;
    this.held = this.held.filter(({ line, offered }) => !tablesOf(line, offered).some((table) => tables.includes(table)));
    if (tables.length && line?.turn === this.turn) this.typed = [...this.typed, { sentence, said, tables, versions }];
    this.write();
  }

  /** The program refuses it, for good. */
  refused(id, sentence) {
    const line = this.out(id);
    if (line) this.held = [...this.held, { ...line, sentence }];
    this.write();
    return line;
  }

  /** The line that was refused last as {id, text}, whole, with its table; null when there is none. */
  get last() {
    const last = this.held.at(-1);
    if (!last) return null;
    const isWhole = TABLES.test(last.line) || !last.offered;
    return { id: last.id, text: isWhole ? last.line : `${last.offered} ${last.line}` };
  }

  /** A refused line is typed anew, or given up. */
  drop(id) {
    this.held = this.held.filter((other) => other.id !== id);
    this.write();
  }

  out(id) {
    const line = this.waiting.find((other) => other.id === id);
    this.waiting = this.waiting.filter((other) => other.id !== id);
    return line;
  }

  /** Tables that need not be offered any more, whatever the page knows. */
  get done() {
    const waiting = this.waiting.flatMap(({ line, offered }) => tablesOf(line, offered));
    return new Set([...waiting, ...this.typed.flatMap(({ tables }) => tables)]);
  }

  /** What this desk typed for a table as the slip of that version, or null. */
  saidFor(table, version) {
    const of = this.typed.findLast(({ tables }) => tables.includes(table));
    return of && of.versions[of.tables.indexOf(table)] === version ? of.said : null;
  }
}
