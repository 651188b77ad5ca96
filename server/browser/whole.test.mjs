// The whole way of a form, as two people go it: an owner builds and shares it, a respondent answers it, corrects an
// answer and submits, and the owner finds the submission and takes it out as a file. INT-91, INT-92.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openHouse, reader } from "./stage/house.mjs";
import { submit } from "../../applications/forms/browser/stage/respondent.mjs";

const SAID = {
  en: {
    title: "Visit report",
    labels: ["Customer", "Day of the visit", "What was agreed"],
    answers: ["Kobo Ltd", "November 3, 2026", "Two more seats from January on"],
    correction: "Sorry, that was wrong.\nCustomer: Kobo Inc.",
    corrected: "Kobo Inc.",
    day: "November 3, 2026",
  },
  ja: {
    title: "訪問報告",
    labels: ["訪問先", "訪問日", "決まったこと"],
    answers: ["工房株式会社", "2026年11月3日", "1月から席を二つ増やす"],
    correction: "すみません、間違えました。\n訪問先: 工房有限会社",
    corrected: "工房有限会社",
    day: "2026年11月3日",
  },
};
let browser, house;

before(async () => {
  browser = await openBrowser();
  house = await openHouse();
});

after(async () => {
  await browser?.close();
  await house?.close();
});

for (const lang of ["en", "ja"]) {
  test(`from the builder to the export (${lang})`, async () => {
    const said = SAID[lang];
    const owner = await reader(browser, house, { lang });
    const id = await build(owner, said);
    const link = await publish(owner);

    const respondent = await reader(browser, house, { lang, width: 390, height: 844, signedIn: false });
    await respondent.goto(link);
    await respondent.locator(".begin button").click();
    await respondent.waitForURL(/\/r\//u);
    await say(respondent, said.answers[0]);
    await say(respondent, said.answers[1]);
    await say(respondent, said.correction);
    await respondent.locator(`#panel .known-value:has-text(${JSON.stringify(said.corrected)})`).waitFor({ state: "attached" });
    await say(respondent, said.answers[2]);
    await respondent.locator(".closing").waitFor();
    const shown = await respondent.locator(".closing").innerText();
    for (const value of [said.corrected, said.day, said.answers[2]]) assert.ok(shown.includes(value), shown);
    await submit(respondent);
    assert.deepEqual(respondent.troubles, []);
    await respondent.context().close();

    await owner.goto(`${house.address}/forms/${id}/submissions`);
    await owner.locator("a.sheet-link").first().click();
    await owner.waitForURL(/\/submissions\/[0-9a-f-]{36}/u);
    const sheet = await owner.locator("main").innerText();
    for (const value of [said.corrected, said.day, said.answers[2]]) assert.ok(sheet.includes(value), sheet);
    const csv = await (await owner.request.get(`${house.address}/forms/${id}/submissions.csv`)).text();
    for (const value of [said.corrected, "2026-11-03", said.answers[2]]) assert.ok(csv.includes(value), csv);
    const lines = await (await owner.request.get(`${house.address}/forms/${id}/submissions.jsonl`)).text();
    assert.equal(lines.trim().split("\n").length, 1);
    const xlsx = await (await owner.request.get(`${house.address}/forms/${id}/submissions.xlsx`)).body();
    assert.equal(xlsx.subarray(0, 2).toString(), "PK");
    assert.deepEqual(owner.troubles, []);
    await owner.context().close();
  });
}

/** Builds the form of three fields in the builder, as a person does. */
async function build(page, { title, labels }) {
  await page.goto(`${house.address}/forms/new`);
  await page.locator("form:has(input[value=blank]) button[type=submit]").click();
  await page.waitForURL(/\/forms\/[0-9a-f-]{36}/u);
  await page.locator("#field-title").fill(title);
  for (const label of labels) {
    await page.locator('[data-press="add"]').click();
    await page.keyboard.type(label);
  }
  await page.locator(".field-card").nth(1).locator('select[name$=".kind"]').selectOption("date");
  for (const card of await page.locator(".field-card").all()) await card.locator('input[type=checkbox][name$=".required"]').check();
  await page.locator('[name="order"][value="fixed"], select[name="order"]').first().evaluate((one) => {
    if (one.tagName === "SELECT") one.value = "fixed";
    else one.checked = true;
    one.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await page.locator("#saved.good").waitFor();
  return page.url().match(/forms\/([0-9a-f-]+)/u)[1];
}

/** Publishes it and reads the link that is shown. */
async function publish(page) {
  await page.locator("#publish button:not([disabled])").click();
  await page.waitForURL(/\/share\?done=published/u);
  return page.locator("#public-link").evaluate((one) => one.value ?? one.textContent.trim());
}

/** Says something once it is one's turn, and waits until it is there. */
async function say(page, text) {
  await page.locator("#composer:not([hidden]) button:not([disabled])").waitFor();
  await page.locator("#words").fill(text);
  await page.locator("#composer button").click();
  await page.locator(".message.person .words", { hasText: text.split("\n")[0] }).last().waitFor();
}
