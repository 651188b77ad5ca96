// Sets the colour scheme that the reader has chosen, before anything is drawn.
(() => {
  try {
    const choice = localStorage.getItem("enza.theme");
    if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
  } catch {
    // Without storage the browser's scheme holds.
  }
})();
