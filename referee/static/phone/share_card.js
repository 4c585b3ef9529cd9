// The card at the end as a picture: drawn on this phone from what the card shows, then shared, or saved as a file.
import { gettext } from "../common/text.js";
import { setText } from "./page_text.js";

const [WIDTH, HEIGHT, MARGIN] = [1080, 1350, 80];
const byId = (id) => document.getElementById(id);
const textOf = (id) => byId(id).textContent.trim();

/** The texts of the card, as it is shown. */
function readCard() {
  const facts = [...byId("card-facts").children].map((item) => [...item.children].map((part) => part.textContent));
  const word = byId("card-word").hidden ? "" : byId("card-word").getAttribute("aria-label") || "";
  return { head: textOf("card-event"), place: textOf("card-place"), name: textOf("card-name"), line: textOf("card-line"), facts, word, best: textOf("card-best"), overall: textOf("card-overall") };
}

/** Write a line in the middle of `x`, smaller if it is wider than `width`. */
function write(paint, text, { x = WIDTH / 2, y, size, bold = false, width = WIDTH - 2 * MARGIN }) {
  const family = getComputedStyle(document.body).fontFamily;
  const setFont = (points) => { paint.font = `${bold ? "700 " : ""}${points}px ${family}`; };
  setFont(size);
  setFont(Math.max(20, Math.floor(size * Math.min(1, width / Math.max(1, paint.measureText(text).width)))));
  paint.fillText(text, x, y, width);
}

/** A square with one letter or figure. */
function tile(paint, text, { x, y, side, colours }) {
  paint.fillStyle = colours.edge;
  paint.fillRect(x, y, side, side + side * 0.08);
  paint.fillStyle = colours.tile;
  paint.fillRect(x, y, side, side);
  paint.fillStyle = colours.tileInk;
  write(paint, text, { x: x + side / 2, y: y + side / 2, size: side * 0.6, bold: true, width: side * 0.9 });
  paint.fillStyle = colours.ink;
}

/** Draw a card on a canvas. */
export function drawCard(canvas, card, colours) {
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  const paint = canvas.getContext("2d");
  paint.fillStyle = colours.ground;
  paint.fillRect(0, 0, WIDTH, HEIGHT);
  Object.assign(paint, { textAlign: "center", textBaseline: "middle", fillStyle: colours.ink });
  write(paint, card.head, { y: 130, size: 40, bold: true });
  tile(paint, card.place, { x: WIDTH / 2 - 130, y: 220, side: 260, colours });
  write(paint, card.name, { y: 610, size: 100, bold: true });
  write(paint, card.line, { y: 720, size: 56 });
  const share = (WIDTH - 2 * MARGIN) / Math.max(1, card.facts.length);
  card.facts.forEach(([figure, label], at) => {
    const x = MARGIN + share * (at + 0.5);
    write(paint, figure, { x, y: 850, size: 64, bold: true, width: share - 20 });
    write(paint, label, { x, y: 915, size: 40, width: share - 20 });
  });
  const letters = [...card.word];
  const side = Math.min(110, (WIDTH - 2 * MARGIN) / Math.max(1, letters.length) - 8);
  letters.forEach((letter, at) => {
    tile(paint, letter, { x: WIDTH / 2 + (at - letters.length / 2) * (side + 8) + 4, y: 1000, side, colours });
  });
  write(paint, card.best, { y: 1170, size: 40 });
  write(paint, card.overall, { y: 1240, size: 40 });
}

function readColours() {
  const style = getComputedStyle(document.body);
  const colour = (name) => style.getPropertyValue(name).trim();
  const isGold = document.body.classList.contains("gold");
  return { ground: style.backgroundColor, ink: style.color, tileInk: colour("--tile-ink"), tile: colour(isGold ? "--tile-new" : "--tile"), edge: colour(isGold ? "--tile-new-edge" : "--tile-edge") };
}

/** Share the picture where the browser can, which needs HTTPS; else save it as a file. */
export async function shareCard() {
  const canvas = document.createElement("canvas");
  drawCard(canvas, readCard(), readColours());
  const picture = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  if (!picture) {
    setText("card-shared", gettext("The picture could not be created: take a screenshot of the card instead."));
    return;
  }
  const file = new File([picture], "multiplo.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => {}); // the player has changed their mind
    return;
  }
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  setText("card-shared", gettext("The picture is saved with your downloads."));
}
