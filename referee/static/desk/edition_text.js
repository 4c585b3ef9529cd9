// The editor of an edition: the line numbers follow the text, and the line with an error is selected.

const text = document.getElementById("edition-text");
const numbers = document.querySelector(".line-numbers");

/** Give each line its number; a line that was changed is no longer marked. */
function number() {
  const count = text.value.split("\n").length;
  while (numbers.children.length > count) numbers.lastElementChild.remove();
  while (numbers.children.length < count) {
    const item = document.createElement("li");
    item.textContent = String(numbers.children.length + 1);
    numbers.append(item);
  }
  text.rows = count;
}

function selectLine(wanted) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, wanted - 1).reduce((sum, line) => sum + line.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[wanted - 1] ?? "").length);
  numbers.children[wanted - 1]?.scrollIntoView({ block: "center" });
}

if (text && numbers) {
  text.addEventListener("input", number);
  number();
  if (text.dataset.badLine) selectLine(Number(text.dataset.badLine));
}
