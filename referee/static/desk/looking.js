// Which of the slips colleagues look at.
import { fill, gettext, ngettext } from "../common/text.js";

/** "Anna looks at this"; `names` of one or more judges. */
export const lookingText = (names) =>
  fill(ngettext("%(names)s looks at this", "%(names)s look at this", names.length), { names: names.join(gettext(", ")) });

/** Write beside each card who else looks at it; `colleagues`: [{who, at}, ...], without oneself. */
export function drawLooking(cards, colleagues) {
  for (const card of cards) {
    const names = colleagues.filter(({ at }) => at === card.dataset.question).map(({ who }) => who);
    const text = names.length ? lookingText(names) : "";
    const place = card.querySelector(".looking");
    if (place && place.textContent !== text) place.textContent = text;
    card.classList.toggle("looked-at", names.length > 0);
  }
}
