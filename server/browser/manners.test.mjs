// How the pages behave for everyone: keyboard, input methods, phones, dark rooms, readers without scripts, axe's rules.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { broken, excess } from "./stage/axe.mjs";
import { answerAll, openBrowser, openHouse, reader, reloadUntil, startInterview, turn } from "./stage/house.mjs";

let browser, house, session;
before(async () => {
  browser = await openBrowser();
  house = await openHouse();
  const page = await reader(browser, house);
  session = await startInterview(page, house);
  await answerAll(page, ["The lift is stuck since this morning", "Building A, ground floor", "ada@example.org"]);
  await page.context().close();
});
after(async () => {
  await browser?.close();
  await house?.close();
});

const pages = () => ["/", `/sessions/${session}`, `/sessions/${session}/inspect?at=5`, `/compare?a=${session}&b=${session}`, "/usage", "/settings", "/administration", "/design", "/api", "/nowhere"];

for (const dark of [false, true]) {
  for (const lang of ["en", "ja"]) {
    test(`axe finds nothing wrong on any page (${lang}, ${dark ? "dark" : "light"})`, async () => {
      const page = await reader(browser, house, { lang, dark });
      const found = [];
      for (const path of pages()) {
        await page.goto(house.address + path);
        found.push(...(await broken(page)));
      }
      assert.deepEqual(found, []);
      assert.deepEqual(page.troubles, []);
      await page.context().close();
    });
  }
}

for (const width of [320, 390, 768, 1920]) {
  test(`no page is wider than a window of ${width}`, async () => {
    const page = await reader(browser, house, { width, lang: width === 390 ? "ja" : "en" });
    const wide = [];
    for (const path of pages()) {
      await page.goto(house.address + path);
      const by = await excess(page);
      if (by > 0) wide.push(`${path} by ${by}`);
    }
    assert.deepEqual(wide, []);
    await page.context().close();
  });
}

test("the palette follows the room, and the reader's choice goes before it", async () => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await reader(browser, house);
  await light.goto(`${house.address}/`);
  const dark = await reader(browser, house, { dark: true });
  await dark.goto(`${house.address}/`);
  assert.notEqual(await ground(light), await ground(dark));
  await light.locator("[data-theme-choice=dark]").click();
  const night = await ground(dark);
  const isNight = () => light.waitForFunction((night) => getComputedStyle(document.body).backgroundColor === night, night);
  await isNight();
  await light.reload();
  await isNight();
  await light.context().close();
  await dark.context().close();
});

test("an interview can be held with the keyboard alone", async () => {
  const page = await reader(browser, house);
  await page.goto(`${house.address}/`);
  const focusOn = async (selector, most = 80) => {
    for (let step = 0; step < most; step += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
    }
    assert.fail(`Tab never reaches ${selector}`);
  };
  await focusOn("a.skip");
  await focusOn("form.opening:has([name=application][value=interview]) button");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/sessions\//u);
  for (const text of ["The lamp flickers since Monday", "Hall 2, by the door", "ada@example.org"]) {
    await turn(page);
    if (!(await page.evaluate(() => document.activeElement?.id === "words"))) await focusOn("#words");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await page.locator(`[data-seq]:has-text("${text}")`).first().waitFor();
  }
  await page.locator("form[data-gate]").waitFor();
  await focusOn("form[data-gate] button[value=yes]");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none", "the focus can be seen");
  await page.keyboard.press("Enter");
  await page.getByText("Submitted. Thank you.").waitFor();
  await page.context().close();
});

test("Enter while an input method composes never sends; Shift+Enter makes a line; Enter sends", async () => {
  const page = await reader(browser, house, { lang: "ja" });
  await startInterview(page, house);
  await turn(page);
  await page.locator("#words").focus();
  const keys = await page.context().newCDPSession(page);
  await keys.send("Input.imeSetComposition", { text: "くうちょう", selectionStart: 5, selectionEnd: 5 });
  await keys.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "Process", code: "Enter", windowsVirtualKeyCode: 229 });
  await keys.send("Input.dispatchKeyEvent", { type: "keyUp", key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 });
  assert.equal(await page.locator("[data-seq]:has-text('くうちょう')").count(), 0, "nothing was sent");
  await keys.send("Input.insertText", { text: "空調" });
  await page.evaluate(() => {
    // What some browsers send: the Enter that ends the composition, with the flag still up.
    const box = document.querySelector("#words");
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }));
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true }));
  });
  assert.equal(await page.locator("#words").inputValue(), "空調");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("3F");
  assert.equal(await page.locator("#words").inputValue(), "空調\n3F");
  await page.keyboard.press("Enter");
  await page.locator("[data-seq]:has-text('空調')").waitFor();
  await page.context().close();
});

test("without scripts an interview is read and answered by plain forms", async () => {
  const page = await reader(browser, house, { scripts: false });
  await page.goto(`${house.address}/`);
  await page.locator("form.opening:has([name=application][value=interview]) button").first().click();
  await page.waitForURL(/\/sessions\//u);
  await reloadUntil(page, () => page.locator("#composer input[name=command][value]").count());
  await page.locator("#words").fill("The door sticks since May");
  await page.locator("#composer button[type=submit]").click();
  await page.waitForURL(/\/sessions\//u);
  await page.locator("[data-seq]:has-text('The door sticks since May')").first().waitFor();
  await page.context().close();
});
