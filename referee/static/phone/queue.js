// Slips that the server has not yet acknowledged. They are kept in the browser and sent again with the same id until
// the answer comes, so that a lost answer never makes two slips and a lost network never loses one.

/** A random UUID, version 4. `crypto.randomUUID` is missing on plain http. */
export function newId(fill = (bytes) => crypto.getRandomValues(bytes)) {
  const bytes = fill(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/**
 * At most one waiting slip a turn: a newer one takes the place of one that was not acknowledged. The last one that was
 * is kept, too: a server that took over from a backup may not have it.
 */
export class SlipQueue {
  constructor(key, storage) {
    this.key = `multiplo.slips.${key}`;
    this.keptKey = `multiplo.kept.${key}`;
    this.storage = storage;
    const waiting = this.read(this.key);
    this.waiting = Array.isArray(waiting) ? waiting.filter((slip) => slip && slip.id) : [];
    this.kept = this.read(this.keptKey);
  }

  read(key) {
    try {
      return JSON.parse(this.storage.getItem(key));
    } catch {
      return null;
    }
  }

  write() {
    try {
      this.storage.setItem(this.key, JSON.stringify(this.waiting));
      this.storage.setItem(this.keptKey, JSON.stringify(this.kept));
    } catch {
      // Full or forbidden: the queue still lives as long as the page does.
    }
  }

  /** Put a slip in; `slip` has id, turn, word, ref, hook, direction, score, sent. */
  put(slip) {
    this.waiting = [...this.waiting.filter((other) => other.turn !== slip.turn), slip];
    this.write();
  }

  /** The slip that waits in this turn, or null. */
  of(turn) {
    return this.waiting.find((slip) => slip.turn === turn) || null;
  }

  /** The server has it, as `version` of the turn in `view`: take it out and return it; null when it was not waiting. */
  acknowledged(id, version = 0, view = null) {
    const slip = this.refused(id);
    if (slip && view) {
      this.kept = { slip, version, game: view.game_number, rack: view.rack };
      this.write();
    }
    return slip;
  }

  /** The server will never take it: take it out and return it; null when it was not waiting. */
  refused(id) {
    const slip = this.waiting.find((other) => other.id === id) || null;
    if (slip) this.drop(id);
    return slip;
  }

  /**
   * The server greets with `found` as the newest slip of the turn in `view`. When it lost the one that it had
   * acknowledged, that one waits again, with its id; returns whether it does.
   */
  recall(view, found) {
    if (!this.kept) return false;
    const { slip, version, game, rack } = this.kept;
    const same = slip.turn === view.turn && game === view.game_number && rack === view.rack;
    if (!same || (found && found.version >= version) || this.of(slip.turn)) return false;
    this.put(slip);
    return true;
  }

  drop(id) {
    this.waiting = this.waiting.filter((slip) => slip.id !== id);
    this.write();
  }
}

/** The message that carries a slip. */
export const frameOf = (slip) => ({
  t: "slip",
  id: slip.id,
  turn: slip.turn,
  word: slip.word,
  ref: slip.ref,
  hook: slip.hook || "",
  direction: slip.direction,
  score: slip.score,
  sent: slip.sent,
});
