// The send button with the line above it, the card of the slip that was sent, and the error messages at the fields.
import { display } from "../common/clock.js";
import { fill, gettext } from "../common/text.js";
import { plain } from "../common/tiles.js";
import { draftOf, isEmpty, sameText } from "./draft.js";
import { moveText, receiptText } from "./screen.js";
import { setText } from "./page_text.js";
import { isOffline, ownSlip, playsNow } from "./state.js";

/** The fields of a slip in the order of the page. */
export const FIELDS = ["ref", "word", "score"];
const REMINDED_MS = 20000;
const byId = (id) => document.getElementById(id);

/** Whether to remind a player of the time: `left` is in milliseconds, null without a running clock. */
export const isReminded = (state, waiting, left) => left !== null && left > 0 && left <= REMINDED_MS && !waiting && !ownSlip(state) && playsNow(state);

/** Whether the slip that counts is shown instead of the form: nothing else is written, and no answer is due. */
export function isSettled(state, draft, waiting, editing) {
  const slip = ownSlip(state);
  return slip !== null && !waiting && !editing && (isEmpty(draft) || sameText(draftOf(slip), draft));
}

function label({ waiting, slip, draft, offline, reminded }) {
  if (waiting) return offline ? gettext("Waiting …") : gettext("Sending …");
  if (slip) return gettext("Send the change");
  return reminded && draft.word ? fill(gettext("Send %(word)s now"), { word: plain(draft.word).toUpperCase() }) : gettext("Send");
}

function note({ waiting, slip, draft, offline, reminded }) {
  if (waiting) return offline ? gettext("Not sent yet; it will be sent when the network is back.") : "";
  if (slip) return fill(gettext("Changed, not sent: slip %(version)s counts."), { version: slip.version });
  if (!reminded) return "";
  return isEmpty(draft) ? gettext("Send a word, or you get 0.") : gettext("Last 20 seconds: not sent yet.");
}

/**
 * Show the state of the slip: `draft` is what is written, `waiting` the slip without an answer or null, `editing` whether
 * the player changes the slip that counts, `left` what the clock shows in milliseconds or null. Returns whether the slip
 * that counts is shown instead of the form.
 */
export function showSending(state, draft, { waiting, editing, left }) {
  const slip = ownSlip(state);
  const reminded = isReminded(state, waiting, left);
  const settled = isSettled(state, draft, waiting, editing);
  const shown = { waiting, slip, draft, reminded, offline: isOffline(state) };
  byId("sent").hidden = !settled || byId("slip").hidden;
  byId("fields").hidden = settled;
  byId("sending").hidden = settled;
  byId("changing").hidden = !settled;
  if (slip) setText("sent-move", moveText(slip, state.view.notation));
  setText("receipt", slip ? sentText(slip) : "");
  setText("send", label(shown));
  setText("send-note", state.refusal ? state.refusal.text : note(shown));
  byId("send-note").classList.toggle("warn", Boolean(state.refusal) || reminded);
  return settled;
}

/** "The judge has it. Slip 1 · sent with 1:52 left" */
function sentText(slip) {
  const named = { version: slip.version, left: typeof slip.left === "number" ? display(slip.left) : "" };
  const told = slip.in_time && named.left ? fill(gettext("Slip %(version)s · sent with %(left)s left"), named) : receiptText(slip);
  return `${gettext("The judge has it.")} ${told}`;
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
