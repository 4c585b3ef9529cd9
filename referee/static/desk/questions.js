// The desk's own dialog for requests that ask first: a title, one sentence, what changes, and a verb on each button. A
// form asks by hx-confirm (or data-confirm without htmx), data-title, data-changes (one a line), data-verb and
// data-leave. The button is red and the focus on the way out, unless the form has data-gives.

const dialog = () => document.getElementById("question");

/** Ask; resolves to true if the judge chose the verb. */
export function ask({ title, text, changes, verb, leave, gives }) {
  const asked = dialog();
  const [yes, no] = asked.querySelectorAll("button");
  document.getElementById("question-title").textContent = title;
  document.getElementById("question-text").textContent = text;
  const lines = (changes ?? "").split("\n").filter((line) => line.trim());
  document
    .getElementById("question-changes")
    .replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line.trim() })));
  asked.classList.toggle("takes", !gives);
  yes.querySelector("span").textContent = verb;
  if (leave) no.querySelector("span").textContent = leave;
  asked.returnValue = "no";
  asked.showModal();
  (gives ? yes : no).focus();
  return new Promise((resolve) => asked.addEventListener("close", () => resolve(asked.returnValue === "yes"), { once: true }));
}

const textsOf = ({ dataset }, text) => {
  const { title, changes, verb, leave } = dataset;
  return { title, text, changes, verb, leave, gives: "gives" in dataset };
};

/** Let every form with a question ask it in the dialog. */
export function watchQuestions() {
  if (!dialog()) return;
  document.body.addEventListener("htmx:confirm", async (event) => {
    const { question, elt, issueRequest } = event.detail;
    if (!question || !elt.dataset.title) return;
    event.preventDefault();
    if (await ask(textsOf(elt, question))) issueRequest(true);
  });
  document.body.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.dataset.confirm || form.dataset.asked) return;
    event.preventDefault();
    if (!(await ask(textsOf(form, form.dataset.confirm)))) return;
    form.dataset.asked = "yes";
    form.requestSubmit(event.submitter);
    delete form.dataset.asked;
  });
}
