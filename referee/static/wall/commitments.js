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

/** The newest acts (all of one ledger entry) as sentences, then the numbers of all entries with acts; "" without any. */
export function actsText(acts) {
  if (!acts?.length) return "";
  const last = acts[acts.length - 1].entry;
  const newest = acts.filter((act) => act.entry === last).map(sentenceOf).filter(Boolean);
  const entries = [...new Set(acts.map((act) => act.entry))].map(number);
  const told = fill(gettext("In the ledger: %(entries)s."), { entries: entries.join(", ") });
  return [...newest, told].join(" ");
}

/** The bottom line: the fingerprint, unless the screen shows it already, and the head of the ledger. */
export function commitmentsText(view) {
  const parts = [];
  const shownBig = ["lobby", "finished"].includes(view.phase);
  if (view.commitment && !shownBig) parts.push(fill(gettext("Fingerprint %(sum)s"), { sum: inGroups(view.commitment) }));
  if (view.ledger_head) parts.push(fill(gettext("Ledger, entry %(entry)s: %(sum)s"), { entry: number(view.ledger_entry), sum: view.ledger_head }));
  return parts.join("  ·  ");
}

/** Secret numbers that were shown before the game was resumed. */
export function earlierText(view) {
  return (view.earlier_draws || []).filter((draw) => draw.seed).map((draw) => fill(gettext("Secret number from turn %(turn)s on: %(seed)s"), { turn: number(draw.from_turn), seed: inGroups(draw.seed) })).join("  ·  ");
}
