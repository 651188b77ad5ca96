// Sends a form of a page as the form it is, to where it says, without leaving the page.
//
// Each form has a key inside, by which it is done once however often it arrives: it is sent until an answer comes, and
// gets another key only when it is known to have arrived.

import { newKey, trouble } from "./enza.js";
import { patience } from "./feed.js";

/** How long to wait before each further attempt, in milliseconds. */
const PAUSES = [500, 1500];

/** Sends a form by the button that was pressed. Says whether it was accepted, what there is to remark, and else why not. */
export async function send(form, pressed) {
  form.dataset.busy = "yes";
  pressed?.setAttribute("aria-busy", "true");
  const typed = new FormData(form);
  if (pressed?.name) typed.append(pressed.name, pressed.value);
  const body = form.enctype === "multipart/form-data" ? typed : new URLSearchParams(typed);
  const response = await deliver(form.action, body);
  delete form.dataset.busy;
  pressed?.removeAttribute("aria-busy");
  if (!response?.ok) return { ok: false, words: await trouble(response), remarks: [] };
  if (form.elements.key) form.elements.key.value = newKey();
  const { remarks = [] } = await response.json().catch(() => ({}));
  return { ok: true, words: "", remarks };
}

/** Sends until an answer comes, a few times. */
async function deliver(address, body) {
  const headers = { accept: "application/json" };
  // A file on a slow line takes as long as it takes.
  const limit = () => (body instanceof FormData ? undefined : patience());
  for (const pause of [...PAUSES, null]) {
    const response = await fetch(address, { method: "POST", headers, body, signal: limit() }).catch(() => null);
    const isUnsure = !response || response.status >= 500;
    if (!isUnsure || pause === null) return response;
    await new Promise((done) => setTimeout(done, pause));
  }
}
