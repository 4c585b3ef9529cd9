// Slips that the server has not yet acknowledged. They are kept in the browser and sent again with the same id until the
// answer comes, so that none is lost and none counts twice.

/** A random UUID, version 4. `crypto.randomUUID` is missing on plain http. */
export function newId(fill = (bytes) => crypto.getRandomValues(bytes)) {
  const bytes = fill(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/**
 * Slips without a final answer, oldest first. A newer slip replaces one of its turn that no server can have. One that was
 * sent and not answered may still reach a server, late: it stays and is sent again before the newer one, so that it cannot
 * be received after it. The last acknowledged slip is kept, too: a server restored from a backup may not have it.
 */
export class SlipQueue {
  constructor(key, storage) {
    this.key = `multiplo.slips.${key}`;
    this.keptKey = `multiplo.kept.${key}`;
    this.storage = storage;
    const waiting = this.read(this.key);
    this.waiting = Array.isArray(waiting) ? waiting.filter((slip) => slip?.id) : [];
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
      // Storage full or forbidden: the queue is kept as long as the page is open.
    }
  }

  /** Queue a slip; it has id, turn, word, ref, hook, direction, score, sent. */
  put(slip) {
    this.waiting = [...this.waiting.filter((other) => other.turn !== slip.turn || other.unanswered > 0), slip];
    this.write();
  }

  /** The newest waiting slip of this turn, or null. */
  of(turn) {
    return this.waiting.filter((slip) => slip.turn === turn).pop() || null;
  }

  /** Send all waiting slips with `send(slip)`, which returns whether the slip went out; return whether one did. */
  sendAll(send) {
    const sent = this.waiting.filter(send);
    for (const slip of sent) slip.unanswered = (slip.unanswered || 0) + 1;
    if (sent.length) this.write();
    return sent.length > 0;
  }

  /** Note that the server has not taken a slip and wants it again later. */
  postponed(id) {
    const slip = this.waiting.find((other) => other.id === id);
    if (slip?.unanswered) slip.unanswered -= 1;
    this.write();
  }

  /**
   * Remove and return a slip that the server has as `version` of the turn in `view`; null if it was not waiting. The older
   * ones of its turn are removed, too: sent later, they would count in its place.
   */
  acknowledged(id, version = 0, view = null) {
    const slip = this.waiting.find((other) => other.id === id) || null;
    if (!slip) return null;
    this.waiting = this.waiting.filter((other, place) => other.turn !== slip.turn || place > this.waiting.indexOf(slip));
    if (view) this.kept = { slip, version, game: view.game_number, rack: view.rack };
    this.write();
    return slip;
  }

  /** Remove and return a slip that the server has refused; null if it was not waiting. */
  refused(id) {
    const slip = this.waiting.find((other) => other.id === id) || null;
    this.waiting = this.waiting.filter((other) => other !== slip);
    this.write();
    return slip;
  }

  /**
   * Queue the acknowledged slip again, with its id, if the server has lost it: `found` is the newest slip that the server
   * has in the turn of `view`. Returns whether it was queued.
   */
  recall(view, found) {
    if (!this.kept) return false;
    const { slip, version, game, rack } = this.kept;
    const same = slip.turn === view.turn && game === view.game_number && rack === view.rack;
    if (!same || (found && found.version >= version) || this.of(slip.turn)) return false;
    this.put(slip);
    return true;
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
