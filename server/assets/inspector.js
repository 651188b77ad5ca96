// Small comforts for the inspector: arrow keys step from event to event, and the lit event is in sight.
//
// Everything works without this; it only saves clicks.

window.addEventListener("load", () => {
  const scroll = document.querySelector(".timeline-scroll");
  const lit = document.querySelector(".tl-mark.is-lit .tl-cell");
  if (!scroll || !lit) return;
  const box = lit.getBoundingClientRect();
  const frame = scroll.getBoundingClientRect();
  if (box.left < frame.left || box.right > frame.right) scroll.scrollLeft += box.left - frame.left - frame.width / 2;
});

document.addEventListener("keydown", (press) => {
  if (press.defaultPrevented || press.altKey || press.ctrlKey || press.metaKey || press.shiftKey || press.isComposing) return;
  // Where arrows mean something already, they keep their meaning.
  if (press.target.closest("input, textarea, select, .tabs, .moves-scroll, .json, pre")) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[press.key];
  const way = rel && document.querySelector(`.walk a[rel=${rel}]`);
  if (!way) return;
  press.preventDefault();
  sessionStorage.setItem("enza-inspector-place", String(window.scrollY));
  way.click();
});

// Stepping with the keys keeps the page where it was.
const place = sessionStorage.getItem("enza-inspector-place");
if (place !== null) {
  sessionStorage.removeItem("enza-inspector-place");
  window.scrollTo(0, Number(place));
}
