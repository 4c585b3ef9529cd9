// A page that is older than the program loads itself anew, in a moment in which nothing can be lost by it.
import { draftOf, isEmpty, sameText } from "./draft.js";

const KEY = "multiplo.renewed";

/**
 * Whether a reload loses nothing: no slip waits for its answer, and nothing is written that is not handed in.
 * `slip` is the one that counts or null, `writable` whether the player may write now.
 */
export const losesNothing = ({ waiting, draft, slip, writable }) =>
  waiting.length === 0 && (!writable || isEmpty(draft) || (slip !== null && sameText(draftOf(slip), draft)));

/** Reloads once for each version of the program: a page that comes old again, out of a cache, must not do it for ever. */
export class Renewal {
  constructor({ storage, reload }) {
    Object.assign(this, { storage, reload });
    this.wanted = null;
  }

  /** The server speaks version `v`, which is newer than this page. */
  told(v) {
    this.wanted = String(v);
  }

  /** Reload if that was asked for and not done for this version yet; whether it was done. */
  attempt() {
    if (this.wanted === null || !this.remember(this.wanted)) return false;
    this.wanted = null;
    this.reload();
    return true;
  }

  /** False when it was remembered before, and where a browser remembers nothing. */
  remember(version) {
    try {
      if (this.storage.getItem(KEY) === version) return false;
      this.storage.setItem(KEY, version);
      return this.storage.getItem(KEY) === version;
    } catch {
      return false;
    }
  }
}
