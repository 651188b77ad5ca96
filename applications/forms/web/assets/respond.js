// What is a respondent's own: the door, the copies, the receipt and the classic form. The chat is a session's page, and
// `session.js` keeps it alive. Everything works without this file, too.

import { classic } from "./classic.js";
import { toast } from "./enza.js";

const sheet = document.getElementById("sheet");

prepareDoor();
prepareCopies();
dateReceipt();
if (sheet) classic(sheet);

/** The door: the browser's time zone, and a fresh page for whoever comes back by the back button. */
function prepareDoor() {
  for (const zone of document.querySelectorAll("[data-timezone]")) {
    zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
    // A page that the browser kept would begin the same interview again; the server offers to go on with it.
    addEventListener("pageshow", (shown) => shown.persisted && location.reload());
  }
}

/** Buttons that need a script show only where there is one. */
function prepareCopies() {
  const show = () => {
    for (const button of document.querySelectorAll("[data-copies], [data-prints]")) button.hidden = false;
  };
  show();
  document.getElementById("talk")?.addEventListener("drawn", show);
  document.addEventListener("click", async (click) => {
    if (click.target.closest("[data-prints]")) print();
    const button = click.target.closest("[data-copies]");
    if (!button) return;
    const source = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(source.value);
      toast(button.dataset.done);
    } catch {
      // Without the clipboard the text is at least chosen, to be copied by hand.
      source.hidden = false;
      source.focus();
      source.select();
    }
  });
}

/** A receipt says the day, too, even where that is today. */
function dateReceipt() {
  for (const moment of document.querySelectorAll("#receipt .facts time")) {
    const language = document.documentElement.lang;
    moment.textContent = new Date(moment.dateTime).toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
  }
}
