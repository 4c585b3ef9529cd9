// Texts of the page that change only when they are different.

/** Set the text only when it changes: a live region would otherwise be read out again. */
export function setText(id, text) {
  const element = document.getElementById(id);
  if (element.textContent !== text) element.textContent = text;
}
