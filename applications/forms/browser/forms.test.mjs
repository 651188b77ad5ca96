// A form is built, arranged, published and shared in a real browser: by keyboard, by hand, in two windows, without scripts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { broken, tooWide } from "../../../server/browser/stage/axe.mjs";
import { openBrowser, openHouse, reader } from "../../../server/browser/stage/house.mjs";

const words = {
  en: { add: "Add a field", moved: "“Customer” is now 1 of 2.", copied: "Copied", undo: "Undo", label: "Label" },
  ja: { add: "項目を追加", moved: "「Customer」を2項目中の1番目に移しました。", copied: "コピーしました", undo: "元に戻す", label: "質問・ラベル" },
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

async function blank(page) {
  await page.goto(`${house.address}/forms/new`);
  await page.locator("form:has(input[value=blank]) button[type=submit]").click();
  await page.waitForURL(/\/forms\/[0-9a-f-]{36}/u);
  return page.url().match(/forms\/([0-9a-f-]+)/u)[1];
}

// Waits until what is on the page is what the server has.
async function saved(page) {
  await page.locator("#saved.good").waitFor();
}

async function draft(page, id) {
  return page.evaluate(async (id) => (await (await fetch(`/api/forms/${id}`)).json()).draft, id);
}

async function withTwoFields(page) {
  const id = await blank(page);
  for (const label of ["Date", "Customer"]) {
    await page.locator('[data-press="add"]').click();
    await page.keyboard.type(label);
  }
  await saved(page);
  return id;
}

const labels = (form) => form.fields.map((field) => field.label);

for (const lang of ["en", "ja"]) {
  test(`a form is built by keyboard alone, published, and its link copied (${lang})`, async () => {
    const page = await reader(browser, house, { lang });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: house.address });
    const id = await blank(page);
    await page.locator("#field-title").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Visit report");
    await page.getByRole("button", { name: words[lang].add }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Date");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("button", { name: words[lang].add }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Customer");
    await page.keyboard.press("Alt+ArrowUp");
    assert.equal(await page.locator("#announced").textContent(), words[lang].moved);
    assert.equal(await page.evaluate(() => document.activeElement.value), "Customer", "the focus stays where it was");
    await saved(page);
    const form = await draft(page, id);
    assert.deepEqual([form.title, ...labels(form)], ["Visit report", "Customer", "Date"]);
    assert.deepEqual(form.fields.map((field) => [field.fieldId, field.kind]), [["customer", "text"], ["date", "long_text"]]);
    await page.locator("#publish button:not([disabled])").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/share\?done=published/u);
    await page.locator('[data-copies="public-link"]').focus();
    await page.keyboard.press("Enter");
    await page.getByText(words[lang].copied).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, new RegExp(`^${house.address}/f/[0-9A-Za-z]{22}-[0-9A-Za-z]+$`, "u"));
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}

test("cards are dragged, duplicated, removed and brought back, and the server has the same", async () => {
  const page = await reader(browser, house, { height: 2400 });
  const id = await withTwoFields(page);
  const handle = page.locator(".field-card").nth(1).locator("[data-drag]");
  await handle.hover();
  const target = await page.locator(".field-card").first().boundingBox();
  await page.mouse.down();
  await page.mouse.move(target.x + 20, target.y + 40, { steps: 8 });
  await page.mouse.move(target.x + 20, target.y + 4, { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await page.locator(".card-name").allTextContents(), ["Customer", "Date"]);
  await saved(page);
  assert.deepEqual(labels(await draft(page, id)), ["Customer", "Date"]);
  await page.locator('.field-card [data-press="duplicate"]').first().click();
  await page.keyboard.type("Contact");
  await saved(page);
  const three = await draft(page, id);
  assert.deepEqual(three.fields.map((field) => [field.fieldId, field.label]), [["customer", "Customer"], ["contact", "Contact"], ["date", "Date"]]);
  await page.locator('.field-card [data-press="remove"]').nth(1).click();
  await saved(page);
  assert.deepEqual(labels(await draft(page, id)), ["Customer", "Date"]);
  await page.getByRole("button", { name: words.en.undo }).click();
  await saved(page);
  assert.deepEqual(await draft(page, id), three);
  await page.reload();
  assert.deepEqual(await page.locator(".card-name").allTextContents(), ["Customer", "Contact", "Date"]);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("conditions follow a field that is renamed, and a row that is filled is followed by an empty one", async () => {
  const page = await reader(browser, house);
  const id = await withTwoFields(page);
  const second = page.locator(".field-card").nth(1);
  await second.locator("details", { hasText: "More settings" }).locator("summary").click();
  await second.locator('select[name$=".when[0].field"]').selectOption({ label: "Date" });
  await second.locator('input[name$=".when[0].value"]').fill("2026-11-03");
  await second.locator('select[name$=".when[1].field"]').waitFor();
  const first = page.locator(".field-card").first();
  await first.locator('input[name$=".label"]').fill("Day of the visit");
  await saved(page);
  const form = await draft(page, id);
  assert.deepEqual([form.fields[0].fieldId, form.fields[1].when], ["day_of_the_visit", [{ field: "day_of_the_visit", is: "2026-11-03" }]]);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("what was edited in another window is not overwritten unasked, and nothing is lost", async () => {
  const page = await reader(browser, house);
  const id = await withTwoFields(page);
  const other = await page.context().newPage();
  await other.goto(`${house.address}/forms/${id}`);
  await other.locator("#field-title").fill("Theirs");
  await saved(other);
  await page.locator("#field-title").fill("Mine");
  await page.locator("dialog#meanwhile[open]").waitFor();
  assert.equal((await draft(page, id)).title, "Theirs");
  const waiting = page.waitForEvent("download");
  await page.locator("[data-keeps]").click();
  const copy = readFileSync(await (await waiting).path(), "utf8");
  assert.match(copy, /title = "Mine"/u);
  await page.locator("[data-mine]").click();
  await saved(page);
  assert.equal((await draft(page, id)).title, "Mine");
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("what is typed while the page saves is not said to be saved before it is", async () => {
  const page = await reader(browser, house);
  const id = await withTwoFields(page);
  let goOn;
  const going = new Promise((go) => (goOn = go));
  let begins;
  const began = new Promise((there) => (begins = there));
  let saves = 0;
  await page.route("**/save", async (route) => {
    saves += 1;
    if (saves > 1) return route.continue();
    begins();
    await going;
    await route.continue();
  });
  await page.evaluate(() => {
    const said = document.getElementById("saved");
    window.timesGood = 0;
    new MutationObserver(() => (window.timesGood += said.classList.contains("good"))).observe(said, { attributes: true });
  });
  await page.locator("#field-title").fill("One");
  await began;
  await page.locator("#field-title").fill("Two");
  goOn();
  await saved(page);
  assert.equal((await draft(page, id)).title, "Two");
  assert.equal(await page.evaluate(() => window.timesGood), 1);
  assert.equal(saves, 2);
  await page.context().close();
});

test("a line that is lost while one types loses nothing", async () => {
  const page = await reader(browser, house);
  const id = await withTwoFields(page);
  house.relay.dead = true;
  house.relay.cut();
  await page.locator("#field-title").fill("Typed in a tunnel");
  await page.locator("#saved.bad").waitFor();
  house.relay.dead = false;
  await saved(page);
  assert.equal((await draft(page, id)).title, "Typed in a tunnel");
  await page.context().close();
});

test("without scripts a form is made, filled, published and shared by plain buttons", async () => {
  const page = await reader(browser, house, { scripts: false });
  const id = await blank(page);
  // A form that is sent before its page is there completely is sent back.
  const press = async (button) => {
    const landed = page.waitForEvent("load");
    await page.locator(button).click();
    await landed;
  };
  await press('button[value="add"]');
  await page.locator('input[name="fields[0].label"]').fill("Name");
  await press('button[value="add"]');
  await page.locator('input[name="fields[1].label"]').fill("Rating");
  await page.locator('select[name="fields[1].kind"]').selectOption("number");
  assert.ok(await page.locator('input[name="fields[1].min"]').isVisible(), "what fits the kind shows without a script");
  await press('button[value="up:1"]');
  await press('button[value="publish"]:not([disabled])');
  await page.waitForURL(/\/share\?done=published/u);
  const link = await page.locator("#public-link").inputValue();
  assert.match(link, /\/f\//u);
  await page.goto(`${house.address}/forms/${id}`);
  assert.deepEqual(await page.locator(".card-name").allTextContents(), ["Rating", "Name"]);
  await press('button[value="remove:0"]');
  await press("form.undo button");
  assert.deepEqual(await page.locator(".card-name").allTextContents(), ["Rating", "Name"]);
  await page.context().close();
});

test("a form is written from a sentence while the page waits, and a test run asks its first question", async () => {
  const page = await reader(browser, house);
  await page.goto(`${house.address}/forms/new`);
  await page.locator("#field-sentence").fill("a visit report with date, customer, what was agreed");
  await page.locator("form:has(#field-sentence) button[type=submit]").click();
  await page.locator("#cards .field-card").nth(2).waitFor();
  assert.deepEqual(await page.locator(".card-name").allTextContents(), ["Date", "Customer", "What was agreed"]);
  await page.waitForLoadState();
  await page.locator('button[value="try"]').click();
  await page.waitForURL(/\/sessions\//u);
  await page.locator("[data-seq]:has-text('Date')").first().waitFor();
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

for (const [lang, dark] of [["en", false], ["ja", true]]) {
  test(`axe finds nothing wrong on the pages of forms, and none is too wide (${lang}, ${dark ? "dark" : "light"})`, async () => {
    const page = await reader(browser, house, { lang, dark });
    const id = await withTwoFields(page);
    await page.locator("#publish button:not([disabled])").click();
    await page.waitForURL(/share/u);
    await page.locator('form[action$="/links"] button[type=submit]').click();
    await page.waitForURL(/done=made/u);
    const found = [];
    for (const path of ["/forms", "/forms/new", `/forms/${id}`, `/forms/${id}/share`, `/forms/${id}/delete`]) {
      await page.goto(house.address + path);
      await page.locator("details.fold").evaluateAll((all) => all.forEach((fold) => (fold.open = true)));
      found.push(...(await tooWide(page)), ...(await broken(page)));
    }
    assert.deepEqual(found, []);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}
