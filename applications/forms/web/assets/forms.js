// The pages of forms around the builder: waiting for a draft, reading files, copying links, naming the reader's zone.
// Everything here is an addition; the pages work without it.

import { toast } from "./enza.js";

const writing = document.getElementById("writing");
if (writing) wait(writing);
readFiles();
copyTexts();
nameZones();

/** Looks whether the architect is done, for as long as the page is open. */
function wait(page) {
  const look = async () => {
    const response = await fetch(`/api/forms/${page.dataset.form}`).catch(() => null);
    if (response?.status === 404) return location.assign("/forms");
    if (response?.ok && !(await response.json()).writing) return location.reload();
    setTimeout(look, 1000);
  };
  setTimeout(look, 500);
}

function readFiles() {
  for (const entry of document.querySelectorAll("[data-reads-into]")) {
    entry.closest("[hidden]")?.removeAttribute("hidden");
    entry.addEventListener("change", async () => {
      const file = entry.files[0];
      if (!file) return;
      document.getElementById(entry.dataset.readsInto).value = await file.text();
      entry.value = "";
    });
  }
}

function copyTexts() {
  for (const entry of document.querySelectorAll("[data-selects]")) entry.addEventListener("focus", () => entry.select());
  for (const button of document.querySelectorAll("[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const entry = document.getElementById(button.dataset.copies);
      try {
        await navigator.clipboard.writeText(entry.value);
      } catch {
        // Where the clipboard is closed to scripts, the text is marked for the reader to copy.
        entry.focus();
        entry.select();
        if (!document.execCommand("copy")) return;
      }
      toast(document.querySelector("[data-copied]").dataset.copied, "good");
    });
  }
}

/** Moments are typed in the reader's zone. */
function nameZones() {
  for (const hidden of document.querySelectorAll("input[data-zone]")) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!zone) continue;
    const field = hidden.closest(".field");
    hidden.value = zone;
    field.querySelector("[data-zone-name]").textContent = zone;
    const entry = field.querySelector("[data-at]");
    if (!entry) continue;
    const at = new Date(Number(entry.dataset.at));
    entry.value = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }
}
