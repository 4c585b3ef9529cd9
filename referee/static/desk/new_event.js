// The form of a new event: another edition or other rules under “More choices” replace the chosen preset.

const form = document.getElementById("new-event");

form?.addEventListener("change", ({ target }) => {
  if (target.name === "edition" || target.name === "profile") form.querySelector('[name="preset"][value="own"]').checked = true;
  if (target.name === "preset" && target.value === "own") document.getElementById("more-choices").open = true;
});
