// A respondent with a phone: by the link through the chat to the receipt, with everything that can happen on the way.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { broken, tooWide } from "../../../server/browser/stage/axe.mjs";
import { openBrowser, openHouse, reader } from "../../../server/browser/stage/house.mjs";
import { ANSWERS, answerAll, begin as arrive, line, say, submit, turn } from "./stage/respondent.mjs";
import { share, SIGN_UP } from "./stage/share.mjs";
import { resize } from "../../../server/browser/stage/window.mjs";

const PHONE = { width: 390, height: 844, signedIn: false };
let browser;
let house;
let links;

before(async () => {
  browser = await openBrowser();
  house = await openHouse();
  const owner = await reader(browser, house);
  links = { en: (await share(owner, house, SIGN_UP.en)).link, ja: (await share(owner, house, SIGN_UP.ja)).link };
  await owner.context().close();
});

after(async () => {
  await browser?.close();
  await house?.close();
});

/** Begins an interview and waits for the first question. */
const begin = (page, lang = "en") => arrive(page, house.address + links[lang]);

const DAY = { en: "May 20, 2027", ja: "2027年5月20日" };

for (const lang of ["en", "ja"]) {
  test(`on a phone a form is answered, corrected, confirmed and kept (${lang})`, async () => {
    const page = await reader(browser, house, { lang, ...PHONE });
    await begin(page, lang);
    await answerAll(page, ANSWERS[lang]);

    // In the sheet that is drawn up, an answer is corrected in its place.
    await page.locator("[data-panel]").click();
    const row = page.locator("#panel .answer").first();
    await row.locator("summary").click();
    await row.locator("input[type=text]").fill("Grace Hopper");
    await row.locator("button.main").click();
    await page.locator(".closing .known-value:has-text('Grace Hopper')").waitFor();
    // The sheet is put away, once the page knows that the correction has arrived.
    await page.locator("#panel").waitFor({ state: "hidden" });

    // In words: the conversation turns to the field again.
    const meal = page.locator(".closing .answer").nth(2);
    await meal.locator("summary").click();
    await meal.locator(".order .button.quiet").click();
    await page.locator(".reply").first().click();
    await page.locator(".closing").waitFor();

    // In the classic view everything is there, and saving leads back.
    await page.goto(`${page.url()}/form`);
    assert.equal(await page.locator("#sheet-name").inputValue(), "Grace Hopper");
    assert.equal(await page.locator("#sheet-day").inputValue(), "2027-05-20");
    await page.locator("#sheet-email").fill("nonsense");
    await page.locator(".classic button[type=submit]").click();
    await page.locator("#sheet-email-error").waitFor();
    await page.locator("#sheet-email").fill("grace@example.org");
    await page.locator(".classic button[type=submit]").click();
    await page.locator(".closing").waitFor();

    await page.locator(".submit button.main").dblclick();
    await page.locator("#receipt").waitFor();
    const receipt = await page.locator(".receipt-lines").innerText();
    for (const part of ["Grace Hopper", "grace@example.org", DAY[lang]]) assert.ok(receipt.includes(part), receipt);
    const json = await page.evaluate(async () => (await fetch(`${location.pathname}/receipt.json`)).json());
    assert.deepEqual(
      json.answers.map((one) => [one.field_id, one.value, one.absence]).filter(([id]) => ["name", "day", "email", "wishes"].includes(id)),
      [["name", "Grace Hopper", null], ["day", "2027-05-20", null], ["email", "grace@example.org", null], ["wishes", null, "skipped"]],
    );
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the phone");
    assert.deepEqual(page.troubles, []);

    // Whoever comes again by the link is led to what was submitted.
    await page.goto(house.address + links[lang]);
    await page.locator(".go-on a").click();
    await page.locator("#receipt").waitFor();
    await page.context().close();
  });
}

test("what is typed before the scripts have come is kept, and nothing old is brought back over it", async () => {
  const page = await reader(browser, house, PHONE);
  await begin(page);
  const form = `${page.url()}/form`;
  const email = page.locator("#sheet-email");
  const save = page.locator(".classic button[type=submit]");
  await page.goto(form);
  await email.fill("nonsense");
  let arrive;
  const late = new Promise((go) => (arrive = go));
  await page.route("**/respond.js", async (route) => {
    await late;
    await route.continue();
  });
  await save.click();
  await page.locator("#sheet-email-error").waitFor();
  await email.fill("ada@example.org");
  arrive();
  await page.waitForLoadState();
  assert.equal(await email.inputValue(), "ada@example.org");

  // What was not saved comes back, as long as nothing newer was.
  await page.goto(form);
  assert.equal(await email.inputValue(), "ada@example.org");
  await save.click();
  await page.waitForURL(/saved=yes/u);
  await page.evaluate(async (at) => {
    const body = new URLSearchParams({ act: "fill", "f.email": "grace@example.org" });
    await fetch(at, { method: "POST", body, headers: { accept: "application/json" } });
  }, form.replace(/\/form$/u, ""));
  await page.goto(form);
  assert.equal(await email.inputValue(), "grace@example.org");
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a double click on Begin gives one interview, and a reload in the middle loses nothing", async () => {
  const page = await reader(browser, house, PHONE);
  await page.goto(house.address + links.en);
  await page.locator("[name=consent]").check();
  await page.locator(".begin button").dblclick();
  await page.waitForURL(/\/r\//u);
  await say(page, "Ada Lovelace");
  await turn(page);
  await page.locator("#words").fill("half a sen");
  const before = await page.locator(".message").count();
  await page.reload();
  assert.equal(await page.locator("#words").inputValue(), "half a sen", "what was being written is still there");
  assert.equal(await page.locator(".message").count(), before);
  const ticket = page.url();
  await page.goto(house.address + links.en);
  assert.equal(await page.locator(".go-on a").getAttribute("href"), new URL(ticket).pathname);
  await page.context().close();
});

test("a lost connection is said, the words are kept, and nothing is shown twice", async () => {
  const page = await reader(browser, house, PHONE);
  await begin(page);
  house.relay.dead = true;
  house.relay.cut();
  await page.locator("#link-lost:not([hidden])").waitFor();
  await page.locator("#words").fill("Ada Lovelace");
  await page.locator("#words").press("Enter");
  await page.locator("#words-error:not([hidden])").waitFor();
  assert.equal(await page.locator("#words").inputValue(), "Ada Lovelace");
  house.relay.dead = false;
  await page.locator("#words").press("Enter");
  await line(page, "Ada Lovelace").waitFor();
  await page.locator(".reply").first().waitFor();
  const seen = await page.locator("[data-seq]").evaluateAll((all) => all.map((one) => one.dataset.seq));
  assert.deepEqual(seen, [...new Set(seen)]);
  assert.equal(await line(page, "Ada Lovelace").count(), 1);
  await page.context().close();
});

test("news that does not arrive is asked for again", async () => {
  const page = await reader(browser, house, PHONE);
  await begin(page);
  await page.route("**/news?*", (route) => route.abort());
  const asked = page.waitForEvent("requestfailed", (request) => request.url().includes("/news?"));
  await page.locator("#words").fill("Ada Lovelace");
  await page.locator("#words").press("Enter");
  await page.locator("#words:placeholder-shown").waitFor();
  // The answer has arrived by now, and the question about it came to nothing.
  await asked;
  assert.equal(await line(page, "Ada Lovelace").count(), 0);
  await page.unroute("**/news?*");
  await line(page, "Ada Lovelace").waitFor();
  await page.locator(".reply").first().waitFor();
  await page.context().close();
});

test("an answer whose acknowledgement is lost is sent again and counts once", async () => {
  const page = await reader(browser, house, PHONE);
  await begin(page);
  let lost = 0;
  await page.route(/\/r\/[^/]+$/u, async (route) => {
    if (route.request().method() !== "POST" || lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await say(page, "Ada Lovelace");
  await page.locator(".reply").first().waitFor();
  // The feed may be faster than the second acknowledgement.
  await page.waitForFunction(() => document.querySelector("#words").value === "");
  assert.equal(lost, 1);
  assert.equal(await line(page, "Ada Lovelace").count(), 1);
  assert.equal(await page.locator("#words-error").isVisible(), false);
  await page.context().close();
});

test("an answer to a question that is faster than the acknowledgement before it is sent as soon as that comes", async () => {
  const page = await reader(browser, house, PHONE);
  await begin(page);
  let acknowledge;
  const acknowledged = new Promise((go) => (acknowledge = go));
  let posts = 0;
  await page.route(/\/r\/[^/]+$/u, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    posts += 1;
    if (posts > 1) return route.continue();
    const response = await route.fetch();
    await acknowledged;
    await route.fulfill({ response });
  });
  await say(page, "Ada Lovelace");
  await page.locator(".reply").first().waitFor();
  await turn(page);
  await page.locator("#words").fill("Yes");
  await page.locator("#words").press("Enter");
  assert.equal(posts, 1, "one at a time");
  acknowledge();
  await line(page, "Yes").waitFor();
  await page.locator(".reply:text-is('Fish')").waitFor();
  await page.waitForFunction(() => document.querySelector("#words").value === "");
  assert.equal(posts, 2);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("the receipt is loaded once, whatever else is told while it is on its way", async () => {
  const page = await reader(browser, house, PHONE);
  await begin(page);
  await answerAll(page, ANSWERS.en);
  let arrive, leave;
  const arrived = new Promise((go) => (arrive = go));
  const leaving = new Promise((go) => (leave = go));
  let loads = 0;
  let questions = 0;
  page.on("request", (request) => (questions += loads > 0 && request.url().includes("/news?")));
  await page.route(/\/r\/[^/]+$/u, async (route) => {
    if (route.request().method() === "GET") {
      loads += 1;
      leave();
      await arrived;
      return route.continue();
    }
    // The feed tells of the end first; the acknowledgement comes while the page is loaded, and asks what is new.
    const response = await route.fetch();
    await leaving;
    await route.fulfill({ response });
  });
  const acknowledged = page.waitForResponse((response) => response.request().method() === "POST");
  const receipt = submit(page);
  await acknowledged;
  arrive();
  await receipt;
  assert.equal(loads, 1);
  assert.equal(questions, 0, "nothing is asked any more");
  await page.context().close();
});

test("a question is seen while it is written, and sending waits for it", async (t) => {
  const slow = await openHouse({ talker: true });
  t.after(() => slow.close());
  const owner = await reader(browser, slow);
  const { link } = await share(owner, slow, SIGN_UP.en);
  const page = await reader(browser, slow, PHONE);
  await page.goto(slow.address + link);
  await page.locator("[name=consent]").check();
  await page.locator(".begin button").click();
  await page.waitForURL(/\/r\//u);
  await say(page, "Ada Lovelace");
  await page.locator(".reply").first().waitFor();
  const halfway = slow.model.pause();
  await page.locator(".reply").first().click();
  await halfway;
  await page.waitForFunction(() => document.querySelector("#speaking .words")?.innerText.length > 5);
  const half = await page.locator("#speaking .words").innerText();
  assert.ok(half.length < 60, half);
  await page.locator("#composer button[disabled]").waitFor();
  await page.locator("#words").fill("I am faster");
  slow.model.resume();
  await page.locator(".reply:text-is('Fish')").waitFor();
  assert.equal(await page.locator("#speaking").isVisible(), false, "the whole question takes its place");
  assert.equal(await page.locator("#words").inputValue(), "I am faster");
  assert.equal(await page.locator(".notice").count(), 0, "with a model, none is said to be missing");
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("the Enter that ends a composition sends nothing", async () => {
  const page = await reader(browser, house, { lang: "ja", ...PHONE });
  await begin(page, "ja");
  await page.locator("#words").focus();
  const keys = await page.context().newCDPSession(page);
  await keys.send("Input.imeSetComposition", { text: "やまだ", selectionStart: 3, selectionEnd: 3 });
  await keys.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "Process", code: "Enter", windowsVirtualKeyCode: 229 });
  await keys.send("Input.insertText", { text: "山田" });
  await page.evaluate(() => {
    const box = document.querySelector("#words");
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }));
  });
  assert.equal(await page.locator("#words").inputValue(), "山田");
  assert.equal(await page.locator(".message.person").count(), 0);
  // An Enter counts again one turn of the page after the composition has ended.
  await page.evaluate(() => new Promise((done) => setTimeout(() => setTimeout(done))));
  await turn(page);
  await page.locator("#words").press("Enter");
  await line(page, "山田").waitFor();
  await page.context().close();
});

test("without scripts a form is answered in the chat and in the classic view", async () => {
  const page = await reader(browser, house, { ...PHONE, scripts: false });
  await page.goto(house.address + links.en);
  await page.locator("[name=consent]").check();
  await page.locator(".begin button").click();
  await page.locator("#composer button:not([disabled])").waitFor();
  await page.locator("#words").fill("Ada Lovelace");
  await page.locator("#composer button").click();
  await page.locator(".reply").first().click();
  await page.locator(".reply:text-is('Fish')").click();
  // The next question is there, so the answer before it counts.
  await page.locator(".picker").first().waitFor();
  await page.locator("#panel a[href$='/form']").click();
  await page.locator("#sheet-day").fill("2027-05-20");
  await page.locator("#sheet-email").fill("ada@example.org");
  await page.locator(".classic button[type=submit]").click();
  await page.locator(".submit button.main").click();
  await page.locator("#receipt").waitFor();
  await page.context().close();
});

for (const [lang, dark] of [["en", false], ["ja", true]]) {
  test(`axe finds nothing wrong from the door to the receipt, and nothing is too wide (${lang}, ${dark ? "dark" : "light"})`, async () => {
    const page = await reader(browser, house, { lang, dark, signedIn: false });
    const found = [];
    const look = async () => {
      await resize(page, { width: 390, height: 844 });
      found.push(...(await broken(page)), ...(await tooWide(page)), ...(await broken(page)));
      await resize(page, { width: 1280, height: 900 });
    };
    await page.goto(house.address + links[lang]);
    await look();
    const ticket = await begin(page, lang);
    await look();
    await page.goto(`${house.address}${ticket}/form`);
    await page.locator("#sheet-email").fill("nonsense");
    await page.locator(".classic button[type=submit]").click();
    await page.locator("#sheet-email-error").waitFor();
    await look();
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(house.address + ticket);
    await answerAll(page, ANSWERS[lang]);
    await page.locator(".closing summary").first().click();
    await look();
    await submit(page);
    await look();
    await page.goto(house.address + links[lang]);
    await look();
    assert.deepEqual(found, []);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}
