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

/** At most one waiting slip a turn: a newer one takes the place of one that was not acknowledged. */
export class SlipQueue {
  constructor(key, storage) {
    this.key = `multiplo.slips.${key}`;
    this.storage = storage;
    this.waiting = this.read();
  }

  read() {
    try {
      const kept = JSON.parse(this.storage.getItem(this.key));
      return Array.isArray(kept) ? kept.filter((slip) => slip && slip.id) : [];
    } catch {
      return [];
    }
  }

  write() {
    try {
      this.storage.setItem(this.key, JSON.stringify(this.waiting));
    } catch {
      // Full or forbidden: the queue still lives as long as the page does.
    }
  }

  /** Put a slip in; `slip` has id, turn, word, ref, direction, score, sent. */
  put(slip) {
    this.waiting = [...this.waiting.filter((other) => other.turn !== slip.turn), slip];
    this.write();
  }

  /** The slip that waits in this turn, or null. */
  of(turn) {
    return this.waiting.find((slip) => slip.turn === turn) || null;
  }

  /** The server has it: take it out and return it; null when it was not waiting. */
  acknowledged(id) {
    const slip = this.waiting.find((other) => other.id === id) || null;
    if (slip) this.drop(id);
    return slip;
  }

  /** The server will never take it: take it out and return it; null when it was not waiting. */
  refused(id) {
    return this.acknowledged(id);
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
  direction: slip.direction,
  score: slip.score,
  sent: slip.sent,
});
