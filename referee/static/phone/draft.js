// What the player is writing, kept in the browser so that a reload or a dead battery loses nothing.

/** A draft with nothing written. `tapped`: the word was laid by tapping, so it follows when its place moves. */
export const emptyDraft = (turn) => ({ turn, word: "", ref: "", score: "", tapped: false, picks: [] });

/** The draft as a slip that was sent would have it. */
export const draftOf = (slip) => ({
  ...emptyDraft(slip.turn),
  word: slip.word,
  ref: slip.ref || slip.hook || "",
  score: slip.score === null || slip.score === undefined ? "" : String(slip.score),
});

/** Whether two drafts say the same. */
export const sameText = (a, b) => a.word === b.word && a.ref === b.ref && a.score === b.score;

/** Whether nothing is written. */
export const isEmpty = (draft) => !draft.word && !draft.ref && !draft.score;

/** Keeps one draft in `storage` under `key`. A browser without storage (private mode) forgets, and nothing else breaks. */
export class DraftShelf {
  constructor(key, storage) {
    this.key = `multiplo.draft.${key}`;
    this.storage = storage;
  }

  keep(draft) {
    try {
      this.storage.setItem(this.key, JSON.stringify(draft));
    } catch {
      // Full or forbidden: the page itself still has the draft.
    }
  }

  /** The draft of this turn; an empty one when another turn's or none is there. */
  find(turn) {
    try {
      const draft = { ...emptyDraft(turn), ...JSON.parse(this.storage.getItem(this.key)) };
      return draft.turn === turn ? draft : emptyDraft(turn);
    } catch {
      return emptyDraft(turn);
    }
  }
}
