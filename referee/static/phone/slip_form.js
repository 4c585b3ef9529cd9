// The slip being written: fields, board, rack and blanks change one draft; the draft shows on all of them.
import { drawBoard, drawRack } from "../common/board.js";
import { arrow, formatReference, inWords, parseReference, turned } from "../common/reference.js";
import { faces, grid, tileText, tokens, wordText } from "../common/tiles.js";
import { fill, gettext } from "../common/text.js";
import { examples, hookOf } from "./slip_check.js";
import { ghosts, fromRack, moveTiles, layTile, isOnBoard, markBlank, mergeTyped, takeBack, usedTiles } from "./word_entry.js";
import { emptyDraft } from "./draft.js";
import { letterButtons, onLetters } from "./letter_tiles.js";

const byId = (id) => document.getElementById(id);

/** Put another text into a field without moving the caret away from what was just typed. */
function rewrite(field, text) {
  const fromEnd = field.value.length - field.selectionEnd;
  field.value = text;
  if (document.activeElement === field) field.setSelectionRange(text.length - fromEnd, text.length - fromEnd);
}

/** Draws and edits the draft of one turn; `onChange(draft)` is told of every change by the player's hand. */
export class SlipForm {
  constructor({ onChange }) {
    this.onChange = onChange;
    this.view = null;
    this.draft = emptyDraft(0);
    this.mixed = [];
    this.marking = false;
    this.writable = false;
    this.laid = false;
    this.composing = null;
    this.listen();
  }

  listen() {
    byId("word").addEventListener("input", (event) => this.typeWord(event));
    byId("slip").addEventListener("compositionstart", (event) => {
      this.composing = event.target;
    });
    byId("slip").addEventListener("compositionend", () => this.composed());
    byId("ref").addEventListener("input", (event) => this.change({ ref: event.target.value.toUpperCase(), tapped: false }));
    byId("score").addEventListener("input", (event) => this.change({ score: event.target.value }));
    byId("back").addEventListener("click", () => this.back());
    byId("shuffle").addEventListener("click", () => this.shuffle());
    byId("turn-direction").addEventListener("click", () => this.place && this.move(turned(this.place)));
    byId("mark").addEventListener("click", () => this.toggleMarking());
    byId("chooser-close").addEventListener("click", () => byId("chooser").close());
    onLetters(byId("letters"), (index, means) => this.touchLetter(index, means));
  }

  /** Show this draft in this view; `writable`: the player may change it now; `laid`: it lies on the board. */
  show(view, draft, { writable, laid }) {
    const newRack = !this.view || this.view.rack !== view.rack || this.view.turn !== view.turn;
    Object.assign(this, { view, draft, writable, laid });
    if (newRack) this.mixed = [...faces(view.rack || "").keys()];
    this.squares = grid(view.board);
    this.known = Object.keys(view.values).filter((face) => face !== "?");
    this.showAll();
  }

  get place() {
    return parseReference(this.draft.ref, this.view.notation);
  }

  get word() {
    return tokens(this.draft.word, this.known);
  }

  get rack() {
    const rack = faces(this.view.rack || "");
    return this.mixed.map((index) => rack[index]);
  }

  get hasBlank() {
    return this.rack.includes("?") || (this.view.stock || "").includes("?");
  }

  change(part) {
    if (!this.writable) return;
    this.draft = { ...this.draft, ...part };
    this.onChange(this.draft);
    this.showAll();
  }

  typeWord(event) {
    this.change({ word: mergeTyped(this.draft.word, event.target.value, this.hasBlank), tapped: false, picks: [] });
  }

  /** A keyboard that composes a word (most phones do) must not find other letters under its hands meanwhile. */
  composed() {
    this.composing = null;
    this.showFields();
  }

  compose({ place, word }, tapped = true) {
    const ref = place ? formatReference(place, this.view.notation) : this.draft.ref;
    this.change({ word: wordText(word, this.known), ref, tapped });
  }

  /** A square was pointed at: the word starts there, across unless that was said already. */
  pick(row, column) {
    const { place } = this;
    const again = place && place.row === row && place.column === column;
    this.move(again ? turned(place) : { row, column, across: place ? place.across : true });
  }

  move(to) {
    const moved = this.draft.tapped ? moveTiles(this.squares, this.place, to, this.word) : null;
    if (moved?.word.length) this.compose(moved);
    else this.change({ ref: formatReference(to, this.view.notation) });
  }

  /** Lay the tile of the rack that was tapped. */
  lay(face, index) {
    if (face === "?") return this.choose(index);
    return this.put(face, index);
  }

  put(face, index) {
    const fresh = this.draft.word === "";
    const next = layTile(this.squares, this.place, this.word, face);
    if (!next) {
      byId("word-error").textContent = gettext("The word has reached the edge of the board.");
      return;
    }
    this.draft = { ...this.draft, picks: [...this.draft.picks, index] };
    this.compose(next, this.draft.tapped || fresh);
  }

  back() {
    this.draft = { ...this.draft, picks: this.draft.picks.slice(0, -1) };
    this.change({ word: wordText(takeBack(this.squares, this.place, this.word), this.known) });
  }

  shuffle() {
    for (let at = this.mixed.length - 1; at > 0; at -= 1) {
      const other = Math.floor(Math.random() * (at + 1));
      [this.mixed[at], this.mixed[other]] = [this.mixed[other], this.mixed[at]];
    }
    this.draft = { ...this.draft, picks: [] };
    this.showRack();
  }

  choose(index) {
    const letters = this.known.map((face) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "letter", textContent: face });
      button.addEventListener("click", () => {
        byId("chooser").close();
        this.put(face.toLowerCase(), index);
      });
      return button;
    });
    byId("alphabet").replaceChildren(...letters);
    byId("chooser").showModal();
  }

  toggleMarking() {
    this.marking = !this.marking;
    this.showBlanks();
  }

  touchLetter(index, means) {
    if (!this.writable) return;
    if (means !== "mark" && !this.marking) {
      byId("blank-hint").textContent = gettext("Hold a letter to mark it as a blank.");
      return;
    }
    this.marking = false;
    this.change({ word: wordText(markBlank(this.word, index), this.known) });
  }

  showAll() {
    this.showBoard();
    this.showRack();
    this.showFields();
    this.showBlanks();
    this.showWay();
  }

  showBoard() {
    const { view, place, writable, laid } = this;
    const word = laid ? this.word : [];
    drawBoard(byId("board"), {
      board: view.board,
      fresh: view.new,
      values: view.values,
      notation: view.notation,
      ghosts: laid ? ghosts(place, word) : [],
      cursor: writable ? place : null,
      onPick: (row, column) => this.writable && this.pick(row, column),
    });
  }

  showRack() {
    const letters = this.laid ? fromRack(this.squares, this.place, this.word) : [];
    const used = usedTiles(this.rack, letters, this.draft.picks);
    drawRack(byId("rack"), tileText(this.rack), this.view.values, this.writable ? { onPick: (face, index) => this.lay(face, index), used } : { used });
  }

  showFields() {
    for (const name of ["word", "ref", "score"]) {
      const field = byId(name);
      field.readOnly = !this.writable;
      if (field.value !== this.draft[name] && field !== this.composing) rewrite(field, this.draft[name]);
    }
  }

  showBlanks() {
    const { word, place } = this;
    byId("blanks").hidden = !this.writable || !this.hasBlank; // its place is kept while there is no word yet
    if (byId("blanks").hidden) return;
    const fixed = word.map((_, index) => isOnBoard(this.squares, place, word, index));
    letterButtons(byId("letters"), word, fixed, this.view.values);
    byId("mark").disabled = !word.length;
    byId("mark").setAttribute("aria-pressed", String(this.marking));
    byId("letters").classList.toggle("marking", this.marking);
    byId("blank-hint").textContent = this.marking ? gettext("Tap the letter that the blank stands for.") : "";
  }

  /** The hint under the reference while it is not a square. */
  withoutPlace() {
    const { notation, hooks } = this.view;
    const letters = hooks ? hookOf(this.draft.ref) : "";
    if (letters) return fill(gettext("crossing letters %(letters)s"), { letters });
    return hooks
      ? gettext("Tap the first square, or write three letters of the word that yours crosses.")
      : fill(gettext("Tap the first square, or write %(across)s → or %(down)s ↓"), examples(notation));
  }

  showWay() {
    const { place, view, writable } = this;
    byId("arrow").textContent = place ? arrow(place.across) : "";
    byId("turn-direction").disabled = !place || !writable;
    byId("other-direction").textContent = place && writable ? arrow(!place.across) : "";
    const text = place ? inWords(place, view.notation) : this.withoutPlace();
    if (byId("direction").textContent === text) return;
    byId("direction").textContent = text;
    byId("turn-hint").textContent = place && (place.across ? gettext("Change the direction to down.") : gettext("Change the direction to across."));
    byId("direction-announced").textContent = place ? text : "";
  }
}
