// The window of a reader, when a test gives it another size.

/**
 * Resizes, and waits until the page stands as it will stand. Where it is laid out anew under a click, between the press
 * and the release, the click is lost and nobody is told.
 */
export async function resize(page, { width, height }) {
  await page.setViewportSize({ width, height });
  await page.waitForFunction(([width, height]) => innerWidth === width && innerHeight === height, [width, height]);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
