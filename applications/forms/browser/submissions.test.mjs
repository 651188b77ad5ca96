// An owner looks at what was answered: the list, one sheet, what has not arrived. Every page by axe's rules, on every width.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { broken, tooWide } from "../../../server/browser/stage/axe.mjs";
import { openBrowser, openHouse, reader } from "../../../server/browser/stage/house.mjs";
import { ANSWERS, answerAll, begin, submit } from "./stage/respondent.mjs";
import { NOWHERE, sendOn, share, SIGN_UP } from "./stage/share.mjs";
import { resize } from "../../../server/browser/stage/window.mjs";

let browser, house;
const forms = {};

before(async () => {
  browser = await openBrowser();
  house = await openHouse();
  const owner = await reader(browser, house);
  for (const lang of ["en", "ja"]) {
    const { id, link } = await share(owner, house, SIGN_UP[lang]);
    await sendOn(owner, house, id, NOWHERE);
    for (const goesOn of [true, false]) {
      const page = await reader(browser, house, { lang, signedIn: false });
      await begin(page, house.address + link);
      if (goesOn) {
        await answerAll(page, ANSWERS[lang]);
        await submit(page);
      }
      await page.context().close();
    }
    forms[lang] = id;
  }
  await owner.context().close();
});

after(async () => {
  await browser?.close();
  await house?.close();
});

for (const [lang, dark] of [["en", false], ["ja", true]]) {
  test(`axe finds nothing wrong on the pages of answers, and none is too wide (${lang}, ${dark ? "dark" : "light"})`, async () => {
    const page = await reader(browser, house, { lang, dark });
    const list = `${house.address}/forms/${forms[lang]}/submissions`;
    await page.goto(list);
    const sheets = await page.locator("a.sheet-link").evaluateAll((all) => all.map((one) => one.href));
    assert.equal(sheets.length, 2);
    const found = [];
    for (const address of [list, `${list}?text=nobody`, ...sheets, `${sheets[0]}/delete`, `${list}/deliveries`]) {
      await page.goto(address);
      await page.locator("details.reviews, details.masked").evaluateAll((all) => all.forEach((fold) => (fold.open = true)));
      found.push(...(await broken(page)), ...(await tooWide(page)), ...(await broken(page)));
      await resize(page, { width: 1280, height: 900 });
    }
    assert.deepEqual(found, []);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}

test("the list leads to what has not arrived, which says why", async () => {
  const page = await reader(browser, house);
  await page.goto(`${house.address}/forms/${forms.en}/submissions`);
  await page.locator(".notice a").click();
  await page.waitForURL(/\/deliveries$/u);
  await page.getByText("The receiver cannot be reached.").waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});
