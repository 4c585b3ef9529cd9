// Gold for winning: a solo, and the card at the end. The others get the same card with their place, in paper colour.
import { drawRack } from "../common/board.js";
import { fill, gettext, ngettext, number, percent } from "../common/text.js";
import { plain } from "../common/tiles.js";
import { setText } from "./page_text.js";
import { ownVerdict } from "./state.js";

const byId = (id) => document.getElementById(id);

/** A word as tiles in one line. */
function showWord(id, word, values) {
  drawRack(byId(id), word, values);
  byId(id).setAttribute("aria-label", plain(word));
  byId(id).style.setProperty("--n", String(Math.max(7, byId(id).children.length)));
}

/** Show that the player alone found the top of the last turn; false if not. */
export function showSolo(state) {
  const verdict = ownVerdict(state);
  if (!verdict?.solo) return false;
  const { last, standings_count: players, values } = state.view;
  showWord("solo-word", last.word, values);
  setText("solo-points", number(verdict.points));
  const more = verdict.warnings?.length || verdict.penalty || verdict.bonus ? ` ${verdict.text}` : "";
  setText("solo-text", `${fill(gettext("The only one of %(players)s to find it. It is the top."), { players: number(players) })}${more}`);
  return true;
}

function fact(value, label) {
  const item = document.createElement("li");
  const [figure, text] = [document.createElement("b"), document.createElement("span")];
  figure.textContent = value;
  text.textContent = label;
  item.append(figure, " ", text);
  return item;
}

/** Show the card of the player; false without a place. */
export function showCard({ me, view }) {
  if (!me?.rank) return false;
  const { rank, total, best } = me;
  const points = fill(ngettext("%(points)s point", "%(points)s points", total), { points: number(total) });
  setText("card-place", number(rank));
  setText("card-name", me.name);
  setText("card-line", rank === 1 ? fill(gettext("wins with %(points)s"), { points }) : fill(gettext("%(rank)s of %(players)s, with %(points)s"), { rank, players: view.standings_count, points }));
  byId("card-facts").replaceChildren(
    fact(percent(me.percent), gettext("of the top")),
    fact(number(me.solos), ngettext("solo", "solos", me.solos)),
    fact(number(view.standings_count), ngettext("player", "players", view.standings_count)),
  );
  byId("card-word").hidden = !best;
  if (best) showWord("card-word", best.word, view.values);
  setText("card-best", best ? fill(ngettext("your best word · %(points)s point", "your best word · %(points)s points", best.points), { points: number(best.points) }) : "");
  setText("card-overall", me.event_rank ? fill(gettext("rank %(rank)s of %(players)s in all games"), { rank: me.event_rank, players: me.event_players }) : "");
  return true;
}
