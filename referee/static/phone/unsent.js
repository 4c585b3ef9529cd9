// The draft that was not sent before the time was up: it stays visible, and can go to the judge as a late slip.
import { fill, gettext, ngettext } from "../common/text.js";
import { isEmpty, sameText, draftOf } from "./draft.js";
import { problems } from "./slip_check.js";
import { moveText } from "./screen.js";
import { setText } from "./page_text.js";
import { ownSlip, playsNow } from "./state.js";

const SHOWN_IN = ["closed", "placed"];
const WORTH_TELLING_MS = 5000;
const byId = (id) => document.getElementById(id);

/** Whether this draft was written in the turn that is over, and not sent as it is. */
export function isUnsent(state, screen, draft, waiting) {
  if (!SHOWN_IN.includes(screen) || !playsNow(state) || isEmpty(draft) || !draft.word) return false;
  if (state.view.turn !== draft.turn || waiting) return false;
  const slip = ownSlip(state);
  return slip === null || !sameText(draftOf(slip), draft);
}

/** Show the draft; `waiting` is the slip without an answer or null, `cutMs` how long there was no connection. */
export function showUnsent(state, screen, draft, { waiting, cutMs }) {
  const shown = isUnsent(state, screen, draft, waiting);
  byId("unsent").hidden = !shown;
  if (!shown) return;
  if (screen === "closed") byId("result").hidden = true;
  const slip = ownSlip(state);
  setText("unsent-title", screen === "closed" ? gettext("Time is up. This was not sent:") : gettext("This was not sent:"));
  setText("unsent-move", moveText(draft, state.view.notation));
  setText("unsent-cause", causeText(slip, cutMs));
  byId("send-late").hidden = screen !== "closed" || slip !== null || Object.keys(problems(draft, state.view)).length > 0;
}

function causeText(slip, cutMs) {
  if (slip) return fill(gettext("Slip %(version)s counts."), { version: slip.version });
  if (cutMs < WORTH_TELLING_MS) return "";
  const seconds = Math.round(cutMs / 1000);
  return fill(ngettext("Your phone had no connection for %(seconds)s second.", "Your phone had no connection for %(seconds)s seconds.", seconds), { seconds });
}
