// The commitments on the wall: fingerprints, the head of the ledger, and every act that changed a rack.
import { fill, gettext, number } from "../common/text.js";

/** A hash in groups of four digits. */
export const inGroups = (hex) => (hex || "").replace(/(.{4})(?=.)/g, "$1 ");

const SENTENCES = {
  taken_back: () => gettext("The move of turn %(turn)s was taken back."),
  put_back: () => gettext("The rack drawn for turn %(turn)s was put back before it was announced."),
  typed_anew: () => gettext("The rack typed for turn %(turn)s was typed again."),
  reopened: () => gettext("The game was over and was resumed."),
  new_seed: () => gettext("The secret number had been shown: from turn %(turn)s on there is a new one, with a new fingerprint."),
  other_seed: () => gettext("A prepared game with its own fingerprint replaced the first game."),
  hall_word_changed: () => gettext("The called-out word was changed."),
  given_up: () => gettext("The previous game was abandoned before its first turn; this one has another secret number."),
};

/** An act as a sentence; "" for a kind that only a newer server knows. */
export const sentenceOf = (act) => (SENTENCES[act.kind] ? fill(SENTENCES[act.kind](), { turn: number(act.turn) }) : "");

/** The newest acts (all of one ledger entry) as sentences; "" without any. */
function newestText(acts) {
  const last = acts[acts.length - 1].entry;
  return acts.filter((act) => act.entry === last).map(sentenceOf).filter(Boolean).join(" ");
}

/** The notice about the newest acts; it disappears after the turn that follows. */
export function noticeText({ draw_acts: acts, turn }) {
  if (!acts?.length || turn > acts[acts.length - 1].turn + 1) return "";
  return newestText(acts);
}

/** The newest acts as sentences, then the numbers of all entries with acts; "" without any. */
export function actsText(acts) {
  if (!acts?.length) return "";
  const entries = [...new Set(acts.map((act) => act.entry))].map(number);
  const told = fill(gettext("In the ledger: %(entries)s."), { entries: entries.join(", ") });
  return [newestText(acts), told].filter(Boolean).join(" ");
}

/** The head of the ledger with the number of its entry; "" without one. */
export const headText = (view) =>
  view.ledger_head ? fill(gettext("Entry %(entry)s: %(sum)s"), { entry: number(view.ledger_entry), sum: view.ledger_head }) : "";

/** Secret numbers that were shown before the game was resumed. */
export function earlierText(view) {
  return (view.earlier_draws || []).filter((draw) => draw.seed).map((draw) => fill(gettext("Secret number from turn %(turn)s on: %(seed)s"), { turn: number(draw.from_turn), seed: inGroups(draw.seed) })).join("  ·  ");
}
