// On a phone what stands beside the conversation is a sheet that is drawn up, and put away by Escape, its button, or a
// touch beside it. Which pages have one is said by a button that draws it up (`data-panel`).

/** Brings the sheet of a page to life. Gives the way to put it away. */
export function sheet(page) {
  const panel = document.getElementById("panel");
  const opener = page.querySelector("[data-panel]");
  const closer = page.querySelector("[data-panel-close]");
  if (!opener) return () => {};
  page.classList.add("is-alive");
  opener.hidden = false;
  closer.hidden = false;
  opener.addEventListener("click", () => {
    page.classList.add("shows-panel");
    opener.setAttribute("aria-expanded", "true");
    closer.focus();
  });
  document.addEventListener("click", (click) => {
    if (!page.classList.contains("shows-panel") || opener.contains(click.target)) return;
    if (closer.contains(click.target) || !panel.contains(click.target)) close();
  });
  document.addEventListener("keydown", (key) => key.key === "Escape" && close());
  return close;

  function close() {
    if (!page.classList.contains("shows-panel")) return;
    page.classList.remove("shows-panel");
    opener.setAttribute("aria-expanded", "false");
    opener.focus();
  }
}
