// A page that is older than the program reloads itself when nothing can be lost by it.
import { draftOf, isEmpty, sameText } from "./draft.js";

const KEY = "multiplo.renewed";

/**
 * Whether a reload loses nothing: no slip waits for its answer, and nothing is written that is not handed in.
 * `slip` is the one that counts or null, `writable` whether the player may write now.
 */
export const isSafe = ({ waiting, draft, slip, writable }) =>
  waiting.length === 0 && (!writable || isEmpty(draft) || (slip !== null && sameText(draftOf(slip), draft)));

/** Reloads once for each version of the program, so that an old page from a cache does not reload for ever. */
export class PageRefresh {
  constructor({ storage, reload }) {
    Object.assign(this, { storage, reload });
    this.wanted = null;
  }

  /** Ask for a reload: the server has version `v`, which is newer than this page. */
  request(v) {
    this.wanted = String(v);
  }

  /** Reload if it was asked for and not yet done for this version; returns whether it reloads. */
  reloadIfWanted() {
    if (this.wanted === null || !this.remember(this.wanted)) return false;
    this.wanted = null;
    this.reload();
    return true;
  }

  /** Store the version; false if it was stored before, or if there is no storage. */
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
