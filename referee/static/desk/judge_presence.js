// Which slips the other judges are looking at.
import { fill, gettext, ngettext } from "../common/text.js";

/** "Anna looks at this"; `names` of one or more judges. */
export const presenceText = (names) =>
  fill(ngettext("%(names)s is looking at this", "%(names)s are looking at this", names.length), { names: names.join(gettext(", ")) });

/** Write on each card who else is looking at it; `colleagues`: [{who, at}, ...], without the own judge. */
export function drawPresence(cards, colleagues) {
  for (const card of cards) {
    const names = colleagues.filter(({ at }) => at === card.dataset.question).map(({ who }) => who);
    const text = names.length ? presenceText(names) : "";
    const place = card.querySelector(".presence");
    if (place && place.textContent !== text) place.textContent = text;
    card.classList.toggle("looked-at", names.length > 0);
  }
}
