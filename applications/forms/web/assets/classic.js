// The classic form: keeps what is typed through a reload, and comes again when the answers were checked.
//
// What was typed is kept in this tab together with what it was typed over. It is brought back only where that still
// stands: what was saved meanwhile, here or in the chat, is newer. And nothing is brought back over words that were typed
// before this file had arrived.

import { load, save } from "./drawer.js";
import { asking, fetchNews, follow, reloadOnce } from "./feed.js";
import { drawnIn, isChanged, isTicked, typed } from "./parts.js";

/** Brings the form on a page to life. */
export function classic(sheet) {
  const form = sheet.querySelector("form.classic");
  if (form) keep(form, `enza.form.${sheet.dataset.at}`, sheet.hasAttribute("data-unsaved"));
  if (!sheet.hasAttribute("data-working")) return;
  let head = Number(sheet.dataset.head);
  const ask = asking(async () => {
    const { status, drawn } = await fetchNews(`${sheet.dataset.at}/news?after=${head}`);
    head = Number(drawn?.dataset.head ?? head);
    if (drawn && !drawn.hasAttribute("data-working")) reloadOnce();
    return status;
  });
  follow({ page: sheet, head: () => head, ask, speak() {}, clear() {} });
}

function keep(form, drawer, isUnsaved) {
  const fields = () => [...form.elements].filter((one) => /^[fo]\./u.test(one.name) && one.type !== "file" && one.type !== "hidden");
  const nameOf = (one) => (isTicked(one) ? `${one.name}=${one.value}` : one.name);
  const kept = parsed(load(drawer));
  // A page that came back unsaved has drawn what was typed: it still stands over what it was typed over at first.
  const under = (one) => (isUnsaved ? kept[nameOf(one)]?.over : null) ?? drawnIn(one);
  const remember = () => {
    const unsaved = fields().filter((one) => typed(one) !== under(one));
    const entries = unsaved.map((one) => [nameOf(one), { typed: typed(one), over: under(one) }]);
    save(drawer, entries.length > 0 ? JSON.stringify(Object.fromEntries(entries)) : "");
  };
  for (const one of fields()) {
    const before = kept[nameOf(one)];
    if (!before || before.over !== drawnIn(one) || isChanged(one)) continue;
    if (isTicked(one)) one.checked = before.typed;
    else one.value = before.typed;
  }
  remember();
  form.addEventListener("input", remember);
}

function parsed(text) {
  try {
    return JSON.parse(text ?? "{}");
  } catch {
    // What cannot be read is not brought back.
    return {};
  }
}
