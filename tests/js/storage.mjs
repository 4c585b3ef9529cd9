/** A browser's localStorage for tests; with `limit` it is full after so many signs. */
export class Storage {
  constructor(limit = Infinity) {
    this.limit = limit;
    this.kept = new Map();
  }

  getItem(key) {
    return this.kept.has(key) ? this.kept.get(key) : null;
  }

  setItem(key, text) {
    if (text.length > this.limit) throw new Error("QuotaExceededError");
    this.kept.set(key, text);
  }
}
