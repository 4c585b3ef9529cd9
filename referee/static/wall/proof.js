// What the hall can hold the program to: fingerprints, the head of the ledger, and every act by which a rack changed.
import { fill, gettext, number } from "../common/text.js";

/** A hash in groups of four digits. */
export const inGroups = (hex) => (hex || "").replace(/(.{4})(?=.)/g, "$1 ");

const SENTENCES = {
  taken_back: () => gettext("The move of turn %(turn)s was taken back."),
  put_back: () => gettext("The rack drawn for turn %(turn)s was put back before it was announced."),
  typed_anew: () => gettext("The rack typed for turn %(turn)s was typed anew."),
  reopened: () => gettext("The game was over and goes on."),
  new_seed: () => gettext("The secret number had been shown: from turn %(turn)s on there is a new one, with a new fingerprint."),
  other_seed: () => gettext("A prepared game with a fingerprint of its own took the place of the first one."),
  hall_word_changed: () => gettext("The word of the hall was changed."),
  given_up: () => gettext("The game before was given up without a turn; this one has another secret number."),
};

/** What was done, in words; unknown kinds of a newer server are passed over. */
export const sentenceOf = (act) => (SENTENCES[act.kind] ? fill(SENTENCES[act.kind](), { turn: number(act.turn) }) : "");

/** The newest acts, those of one entry together, and the numbers of all entries that tell of such; "" without any. */
export function actsText(acts) {
  if (!acts || !acts.length) return "";
  const last = acts[acts.length - 1].entry;
  const newest = acts.filter((act) => act.entry === last).map(sentenceOf).filter(Boolean);
  const entries = [...new Set(acts.map((act) => act.entry))].map(number);
  const told = fill(gettext("In the ledger: %(entries)s."), { entries: entries.join(", ") });
  return [...newest, told].join(" ");
}

/** The bottom line: the fingerprint where it does not stand on the screen already, and the head of the ledger. */
export function proofText(view) {
  const parts = [];
  const shownBig = ["lobby", "finished"].includes(view.phase);
  if (view.commitment && !shownBig) parts.push(fill(gettext("Fingerprint %(sum)s"), { sum: inGroups(view.commitment) }));
  if (view.ledger_head) parts.push(fill(gettext("Ledger, entry %(entry)s: %(sum)s"), { entry: number(view.ledger_entry), sum: view.ledger_head }));
  return parts.join("  ·  ");
}

/** Secret numbers that were shown before the game was taken up again. */
export function earlierText(view) {
  return (view.earlier_draws || []).filter((draw) => draw.seed).map((draw) => fill(gettext("Secret number from turn %(turn)s on: %(seed)s"), { turn: number(draw.from_turn), seed: inGroups(draw.seed) })).join("  ·  ");
}
