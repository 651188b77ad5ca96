// What axe finds wrong on a page, and whether the page is wider than its window.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resize } from "./window.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A line for every rule that is broken, with the first places. It runs apart from the page, whose policy lets in no script. */
export async function broken(page) {
  const axe = await page.context().newCDPSession(page);
  await axe.send("Runtime.evaluate", { expression: AXE });
  const run = `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`;
  const expression = `${run}.then((all) => JSON.stringify(all.violations.map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.html)])))`;
  const { result } = await axe.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  await axe.detach();
  return JSON.parse(result.value).map(([rule, nodes]) => `${new URL(page.url()).pathname} ${rule}: ${nodes.join(" | ")}`);
}

/** By how much a page is wider than its window. */
export function excess(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** What stands out of the window to either side, where nobody can scroll to it: the innermost of each. */
export function outOfSight(page) {
  return page.evaluate(() => {
    const wide = document.documentElement.clientWidth;
    const isScrolled = (one) => {
      for (let around = one.parentElement; around; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around);
        if (overflowX === "auto" || overflowX === "scroll") return true;
      }
      return false;
    };
    const isOut = (one) => {
      const { left, right, width, height } = one.getBoundingClientRect();
      // What is read aloud alone is a pixel wide, and what waits for the keyboard stands above the page.
      const isSeen = width > 1 && height > 1 && one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      return isSeen && !one.closest(".aloud, .skip, svg, [hidden]") && (right > wide + 1 || left < -1) && !isScrolled(one);
    };
    const out = [...document.body.querySelectorAll("*")].filter(isOut);
    const inner = out.filter((one) => !out.some((other) => other !== one && one.contains(other)));
    return inner.map((one) => `${location.pathname}: ${one.outerHTML.slice(0, 160)}`);
  });
}

/** A line for every width at which the page as it stands is too wide. */
export async function tooWide(page, widths = [1280, 390, 320]) {
  const found = [];
  for (const width of widths) {
    await resize(page, { width, height: 900 });
    const by = await excess(page);
    if (by > 0) found.push(`${new URL(page.url()).pathname} is too wide at ${width} by ${by}`);
  }
  return found;
}
