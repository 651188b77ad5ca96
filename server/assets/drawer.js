// What is kept in this tab until it is known to have arrived. Without storage it lives as long as the page.

export function load(drawer) {
  try {
    return sessionStorage.getItem(drawer);
  } catch {
    return null;
  }
}

export function save(drawer, text) {
  try {
    if (text) sessionStorage.setItem(drawer, text);
    else sessionStorage.removeItem(drawer);
  } catch {
    // Nothing is kept.
  }
}
