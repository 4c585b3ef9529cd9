// The draft of a slip, kept in the browser so that a reload or an empty battery loses nothing.

/** A draft with nothing written. `tapped`: the word was laid by tapping, so it follows when its place moves. */
export const emptyDraft = (turn) => ({ turn, word: "", ref: "", score: "", tapped: false, picks: [] });

/** A sent slip as a draft. */
export const draftOf = (slip) => ({
  ...emptyDraft(slip.turn),
  word: slip.word,
  ref: slip.ref || slip.hook || "",
  score: slip.score === null || slip.score === undefined ? "" : String(slip.score),
});

/** Whether two drafts have the same text. */
export const sameText = (a, b) => a.word === b.word && a.ref === b.ref && a.score === b.score;

/** Whether nothing is written. */
export const isEmpty = (draft) => !draft.word && !draft.ref && !draft.score;

/** Keeps one draft in `storage` under `key`. Without storage (private mode) nothing is kept, and nothing else breaks. */
export class DraftStore {
  constructor(key, storage) {
    this.key = `multiplo.draft.${key}`;
    this.storage = storage;
  }

  save(draft) {
    try {
      this.storage.setItem(this.key, JSON.stringify(draft));
    } catch {
      // Storage full or forbidden: the page still has the draft.
    }
  }

  /** The draft of this turn; an empty one when another turn's or none is there. */
  load(turn) {
    try {
      const draft = { ...emptyDraft(turn), ...JSON.parse(this.storage.getItem(this.key)) };
      return draft.turn === turn ? draft : emptyDraft(turn);
    } catch {
      return emptyDraft(turn);
    }
  }
}
