// The first page: keeps what waits and how sessions stand up to date while nobody looks away, and keeps keys fresh.

// A page that the browser kept may begin another session: it needs another key than the first.
addEventListener("pageshow", (shown) => {
  if (shown.persisted) location.reload();
});

// Coming back to the page after a while, one finds it as it is now.
let left = 0;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    left = Date.now();
  } else if (left && Date.now() - left > 10_000 && !isInUse()) {
    location.reload();
  }
});

function isInUse() {
  const typed = [...document.querySelectorAll("textarea, input:not([type=hidden])")];
  return typed.some((entry) => entry.value !== entry.defaultValue) || document.querySelector('details[open], [aria-invalid="true"]');
}

// Choosing in the filter is enough; nobody has to press the button.
for (const choice of document.querySelectorAll(".filter select")) {
  choice.addEventListener("change", () => choice.form.requestSubmit());
}

// An address may lead to a field that is folded away.
document.getElementById(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");

// Whoever sent something that was not taken finds themselves where they typed it.
document.querySelector('[aria-invalid="true"]')?.focus();
