// The boxes of a gate: what is taken of each file, and a file that is written anew in its place.
//
// A file's box stands for all of its hunks, and what is left out is drawn so. The boxes belong to the gate's form and are
// sent with it; what they come to is for the server to say.

import { toast, trouble } from "./enza.js";

/** Brings the boxes of the open gate to life; a second time does nothing. */
export function takeOrLeave(root) {
  for (const file of root.querySelectorAll("[data-file]:not([data-alive])")) {
    file.dataset.alive = "";
    file.addEventListener("change", (change) => ticked(file, change.target));
    file.querySelector("[data-edits]")?.addEventListener("click", (click) => {
      click.preventDefault();
      edit(file, click.currentTarget);
    });
    show(file);
  }
}

function boxes(file, kind) {
  return [...file.querySelectorAll(`input[name^="${kind}-"]`)];
}

function ticked(file, box) {
  if (box.name?.startsWith("file-")) for (const one of boxes(file, "hunk")) one.checked = box.checked;
  show(file);
}

/** The file's box follows its hunks, and what is left out is seen to be. */
function show(file) {
  const [whole] = boxes(file, "file");
  const hunks = boxes(file, "hunk");
  if (whole && hunks.length) {
    const taken = hunks.filter((one) => one.checked).length;
    whole.checked = taken > 0;
    whole.indeterminate = taken > 0 && taken < hunks.length;
  }
  for (const one of hunks) one.closest(".hunk").classList.toggle("is-left-out", !one.checked);
  file.classList.toggle("is-left-out", Boolean(whole) && !whole.checked);
}

/** Puts what the file would hold in place of its hunks, to be written anew; and back again. */
async function edit(file, link) {
  const response = await fetch(link.href).catch(() => null);
  if (!response?.ok) return toast(await trouble(response), "bad");
  const drawn = new DOMParser().parseFromString(await response.text(), "text/html");
  const found = drawn.querySelector("textarea");
  if (!found) return toast(document.body.dataset.trouble, "bad");
  const entry = document.createElement("textarea");
  entry.name = found.name;
  entry.value = found.value;
  entry.setAttribute("form", "gate-answer");
  entry.rows = Math.min(30, Math.max(8, entry.value.split("\n").length + 1));
  entry.spellcheck = false;
  entry.setAttribute("aria-label", drawn.querySelector("h3")?.textContent ?? "");
  const notice = document.createElement("p");
  notice.className = "file-edited";
  notice.textContent = file.dataset.whole;
  const sheet = file.querySelector(".file-change");
  const away = [...sheet.children].filter((one) => !one.matches(".file-head, .file-foot"));
  const takes = file.querySelector(".file-head .take");
  for (const one of [...away, takes]) one && (one.hidden = true);
  sheet.querySelector(".file-head").after(notice, entry);
  const back = document.createElement("button");
  back.type = "button";
  back.className = link.className;
  back.textContent = file.dataset.undo;
  link.replaceWith(back);
  back.addEventListener("click", () => {
    for (const one of [...away, takes]) one && (one.hidden = false);
    entry.remove();
    notice.remove();
    back.replaceWith(link);
    link.focus();
  });
  entry.focus();
}
