// The button that prints the page; without scripts the browser's own menu does.
const button = document.getElementById("print-page");

button.hidden = false;
button.addEventListener("click", () => window.print());
