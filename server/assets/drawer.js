// What is kept until it is known to have arrived: in this tab, or in this browser. Without storage it lives as long as the
// page.

const STORES = { tab: () => sessionStorage, browser: () => localStorage };

export function load(drawer, keeps = "tab") {
  try {
    return STORES[keeps]().getItem(drawer);
  } catch {
    return null;
  }
}

export function save(drawer, text, keeps = "tab") {
  try {
    if (text) STORES[keeps]().setItem(drawer, text);
    else STORES[keeps]().removeItem(drawer);
  } catch {
    // Nothing is kept.
  }
}
