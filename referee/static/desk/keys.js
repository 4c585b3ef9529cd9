// The keys of the desk. A key belongs to whatever on the page carries it as data-key, so the page and the key agree.

const typing = (element) => element.matches("input, textarea, select");

/** Listen for keys on the whole page. */
export function watchKeys() {
  const help = document.getElementById("keys");
  const line = document.getElementById("entry-line");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const owner = /^F\d+$/.test(event.key) && document.querySelector(`[data-key="${event.key}"]`);
    if (owner) owner.click();
    else if (event.key === "Escape" && typing(document.activeElement)) document.activeElement.blur();
    else if (typing(document.activeElement)) return;
    else if (event.key === "/") line.focus();
    else if (event.key === "?") help.showModal();
    else return;
    event.preventDefault();
  });
}
