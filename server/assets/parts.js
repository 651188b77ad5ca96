// Puts a part of a page that the server has drawn anew in the place of the old, where it is another, and where nobody is
// in the middle of something there.

/** Replaces what is drawn, unless it is the same, or someone is writing in it. Says whether it did. */
export function replace(old, fresh) {
  if (shape(old) === shape(fresh) || isInUse(old)) return false;
  const focused = old.contains(document.activeElement) ? document.activeElement.textContent : null;
  old.replaceChildren(...fresh.childNodes);
  if (focused) [...old.querySelectorAll("button, a, summary")].find((one) => one.textContent === focused)?.focus();
  return true;
}

/** A gate that is being answered keeps what was typed and ticked. */
export function replaceGate(old, fresh) {
  const gate = (part) => part.querySelector("form")?.dataset.gate;
  if (gate(old) === gate(fresh)) return;
  old.replaceChildren(...fresh.childNodes);
  old.querySelector("h2")?.scrollIntoView({ block: "nearest" });
}

/** Whether an input holds something else than the server drew in it. */
export function isChanged(one) {
  return typed(one) !== drawnIn(one);
}

/** What stands in an input. */
export function typed(one) {
  return isTicked(one) ? one.checked : one.value;
}

/** What the server drew in an input. */
export function drawnIn(one) {
  if (isTicked(one)) return one.defaultChecked;
  if (one.type !== "select-one") return one.defaultValue;
  const drawn = [...one.options].find((option) => option.defaultSelected) ?? one.options[0];
  return drawn?.value ?? "";
}

/** Whether an input is ticked and not written into. */
export function isTicked(one) {
  return one.type === "radio" || one.type === "checkbox";
}

function isInUse(part) {
  const written = [...part.querySelectorAll("input:not([type=hidden], [readonly]), textarea, select")];
  const isBeingWritten = (one) => one === document.activeElement || isChanged(one);
  return Boolean(part.querySelector("details.edit[open]")) && written.some(isBeingWritten);
}

/** What a part shows, without what differs each time it is drawn and what scripts and the reader have done to it since. */
function shape(part) {
  const copy = part.cloneNode(true);
  for (const key of copy.querySelectorAll('[name="key"]')) key.remove();
  for (const one of copy.querySelectorAll("[open]")) one.removeAttribute("open");
  for (const one of copy.querySelectorAll("[data-copies]")) one.removeAttribute("hidden");
  // A moment that was put into the reader's time is still the same moment.
  for (const moment of copy.querySelectorAll("time")) moment.replaceWith(moment.dateTime);
  return copy.innerHTML;
}
