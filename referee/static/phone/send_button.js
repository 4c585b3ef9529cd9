// The send button with its receipt, and the error messages at the fields.
import { fill, gettext } from "../common/text.js";
import { draftOf, sameText } from "./draft.js";
import { receiptText, setText } from "./screen.js";
import { isOffline, ownSlip } from "./state.js";

/** The fields of a slip in the order of the page. */
export const FIELDS = ["ref", "word", "score"];
const byId = (id) => document.getElementById(id);

function label(waiting, slip, unchanged, offline) {
  if (waiting) return offline ? gettext("Waiting …") : gettext("Sending …");
  if (!slip) return gettext("Send slip");
  return unchanged ? gettext("Received ✓") : gettext("Send the change");
}

function note(waiting, slip, unchanged, offline) {
  if (waiting) return offline ? gettext("Not sent yet; it will be sent when the network is back.") : "";
  if (!slip) return "";
  if (unchanged) return receiptText(slip);
  return fill(gettext("Changed, not sent: slip %(version)s counts."), { version: slip.version });
}

/** Show the state of the slip: `draft` is what is written, `waiting` the slip without an answer, or null. */
export function showSending(state, draft, waiting) {
  const slip = ownSlip(state);
  const unchanged = slip !== null && sameText(draftOf(slip), draft);
  const offline = isOffline(state);
  byId("send").classList.toggle("done", unchanged && !waiting);
  setText("send", label(waiting, slip, unchanged, offline));
  setText("receipt", state.refusal ? state.refusal.text : note(waiting, slip, unchanged, offline));
}

/** Show these error messages (by field) and focus the first field; {} removes all. */
export function showProblems(wrong) {
  for (const name of FIELDS) {
    setText(`${name}-error`, wrong[name] || "");
    if (wrong[name]) byId(name).setAttribute("aria-invalid", "true");
    else byId(name).removeAttribute("aria-invalid");
  }
  const first = FIELDS.find((name) => wrong[name]);
  if (!first) return;
  byId(first).focus({ preventScroll: true });
  byId(first).scrollIntoView({ block: "center" });
}

/** Let Enter move the focus to the next field; in the last one it sends. */
export function moveFocusOnEnter() {
  FIELDS.slice(0, -1).forEach((name, index) => {
    byId(name).addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      byId(FIELDS[index + 1]).focus();
    });
  });
}
