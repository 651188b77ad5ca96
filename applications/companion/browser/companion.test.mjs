// The companion on its page: a gate with everything a person needs to decide, hunk by hunk; and the session around it.

import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { broken, tooWide } from "../../../server/browser/stage/axe.mjs";
import { approval, beginIn, openCompanion, project, reply, say, startScript, unfold, write } from "./stage/companion.mjs";
import { openBrowser, openHouse, reader, reloadUntil } from "../../../server/browser/stage/house.mjs";
import { resize } from "../../../server/browser/stage/window.mjs";

const LINES = Array.from({ length: 30 }, (_, place) => `line ${place + 1}`);
const BEFORE = `${LINES.join("\n")}\n`;
const BOTH = BEFORE.replace("line 2\n", "line two\n").replace("line 28\n", "line twenty-eight\n");
const FIRST = BEFORE.replace("line 2\n", "line two\n");
const SECOND = BEFORE.replace("line 28\n", "line twenty-eight\n");

let browser, house, model;
const folders = [];
before(async () => {
  browser = await openBrowser();
  model = await startScript();
  house = await openHouse({ plays: model });
});
afterEach(() => assert.equal(model.forget(), 0, "a test takes every reply that it scripted"));
after(async () => {
  await browser?.close();
  await house?.close();
  for (const one of folders) one.close();
});

/** A session that stands at a gate for these changes. */
async function atGate(page, actions, { lang = "en", files = { "src/a.txt": BEFORE }, settings } = {}) {
  const work = project(files);
  folders.push(work);
  const id = await openCompanion(page, house, work.folder, { lang, settings });
  model.script(reply({ reply: lang === "ja" ? "書き換えます。" : "I will change it.", actions }));
  await say(page, lang === "ja" ? "2行目と28行目を直して" : "Spell out the numbers");
  await page.locator("form[data-gate]").waitFor();
  return { work, id };
}

const TWO_HUNKS = [write("src/a.txt", BOTH, "numbers read better as words")];
const yes = (page) => page.locator("form[data-gate] button[value=yes]").click();
const no = (page) => page.locator("form[data-gate] button[value=no]").click();
/** Waits for the last reply of the script as well, or it would be left for the test after this one. */
const done = async (page) => {
  await page.locator(".message:has-text('Changed')").last().waitFor();
  await said(page, "Done.").waitFor();
};
const said = (page, text) => page.locator(`.message:has-text(${JSON.stringify(text)})`).last();
const gone = (page) => page.locator("form[data-gate]").waitFor({ state: "detached" });

for (const lang of ["en", "ja"]) {
  test(`DUCK-86, DUCK-87, DUCK-91: a gate shows five points, the risk and the change, for everyone (${lang})`, async () => {
    const page = await reader(browser, house, { lang });
    const secret = write("src/b.txt", "plain\u202etext\n");
    const { id } = await atGate(page, [...TWO_HUNKS, secret], { lang });
    const gate = page.locator(".gate");
    const shown = await gate.innerText();
    const words = lang === "ja" ? ["根拠", "影響", "代わりの方法", "差分プレビュー", "リスク"] : ["Grounds", "Impact", "Alternatives", "The changes", "Risk"];
    for (const word of [...words, "src/a.txt", "+2", "−2", "numbers read better as words"]) assert.ok(shown.includes(word), `${word}: ${shown}`);
    assert.ok((await gate.locator("h2").innerText()).includes("src/a.txt"), "what is intended");
    assert.deepEqual(await gate.locator("[data-file='0'] .hunk-head code").allInnerTexts(), ["@@ -1,5 +1,5 @@", "@@ -25,6 +25,6 @@"]);
    const first = gate.locator("[data-file='0'] del.line").first();
    assert.deepEqual(await first.locator("> span").allInnerTexts(), ["2", "", "−", "line 2"]);
    assert.equal(await gate.locator(".unseen").innerText(), "<U+202E>", "what turns text around is spelt out");
    const found = [];
    for (const dark of [false, true]) {
      const other = await reader(browser, house, { lang, dark });
      await other.goto(`${house.address}/sessions/${id}`);
      found.push(...(await broken(other)), ...(await tooWide(other)));
      assert.deepEqual(other.troubles, []);
      await other.context().close();
    }
    assert.deepEqual(found, []);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}

test("one of two hunks is taken, and exactly that one is written", async () => {
  const page = await reader(browser, house);
  const { work } = await atGate(page, TWO_HUNKS);
  await page.locator("[name='hunk-0-1']").uncheck();
  model.script(approval("Done."));
  await yes(page);
  await done(page);
  assert.equal(work.text("src/a.txt"), SECOND);
  await page.context().close();
});

test("without scripts one of two hunks is taken by a plain form", async () => {
  const opener = await reader(browser, house);
  const { work, id } = await atGate(opener, TWO_HUNKS);
  await opener.context().close();
  const page = await reader(browser, house, { scripts: false });
  await page.goto(`${house.address}/sessions/${id}`);
  await page.locator("[name='hunk-0-2']").uncheck();
  model.script(approval("Done."));
  const landed = page.waitForEvent("domcontentloaded");
  await yes(page);
  await landed;
  await reloadUntil(page, () => said(page, "Done.").count());
  assert.equal(work.text("src/a.txt"), FIRST);
  await page.context().close();
});

test("a file that is left out stays as it is, and the other is written", async () => {
  const page = await reader(browser, house);
  const { work } = await atGate(page, [...TWO_HUNKS, write("src/b.txt", "new\n")]);
  await page.locator("[name='file-0']").uncheck();
  assert.equal(await page.locator("[name='hunk-0-1']").isChecked(), false, "a file's box stands for its hunks");
  model.script(approval("Done."));
  await yes(page);
  await done(page);
  assert.deepEqual([work.text("src/a.txt"), work.text("src/b.txt")], [BEFORE, "new\n"]);
  await page.context().close();
});

test("with nothing ticked a yes is a no", async () => {
  const page = await reader(browser, house);
  const { work } = await atGate(page, TWO_HUNKS);
  await page.locator("[name='file-0']").uncheck();
  await yes(page);
  await page.getByText("You said no.").waitFor();
  assert.equal(work.text("src/a.txt"), BEFORE);
  await page.context().close();
});

test("a file is written anew at the gate, and that is what is taken", async () => {
  const page = await reader(browser, house);
  const { work } = await atGate(page, TWO_HUNKS);
  await page.locator("[data-edits]").click();
  const entry = page.locator("[data-file='0'] textarea");
  await entry.waitFor();
  assert.equal(await entry.inputValue(), BOTH);
  await entry.fill("mine\n");
  model.script(approval("Done."));
  await yes(page);
  await done(page);
  assert.equal(work.text("src/a.txt"), "mine\n");
  await page.context().close();
});

test("Enter in a box answers nothing, and the keyboard alone can", async () => {
  const page = await reader(browser, house);
  const { work } = await atGate(page, TWO_HUNKS);
  await page.locator("[name='hunk-0-1']").focus();
  await page.keyboard.press("Enter");
  await page.locator("[name='note']").focus();
  await page.keyboard.press("Enter");
  await page.locator("[name='yes_scope']").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("form[data-gate]").count(), 1, "it still waits");
  assert.equal(work.text("src/a.txt"), BEFORE);
  await page.locator("form[data-gate] button[value=no]").focus();
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none", "the focus can be seen");
  await page.keyboard.press("Enter");
  await page.getByText("You said no.").waitFor();
  await page.context().close();
});

test("DUCK-92: talk leaves a gate open, with what was ticked", async () => {
  const page = await reader(browser, house);
  await atGate(page, TWO_HUNKS);
  await page.locator("[name='hunk-0-2']").uncheck();
  model.script(reply({ reply: "Because you asked for it.", next_step: "pending_user" }));
  await say(page, "Why?");
  await page.getByText("Because you asked for it.").waitFor();
  assert.equal(await page.locator("[name='hunk-0-2']").isChecked(), false);
  await page.context().close();
});

test("a gate that was answered elsewhere says so and shows how it stands", async () => {
  const page = await reader(browser, house);
  const { id, work } = await atGate(page, TWO_HUNKS);
  // The other screen's answer arrives while this page has lost its line.
  let isCut = true;
  for (const part of ["live", "news"]) await page.route(new RegExp(`/${part}\\?`, "u"), (route) => (isCut ? route.abort() : route.continue()));
  await page.reload();
  await page.locator("form[data-gate]").waitFor();
  await page.evaluate(async (id) => {
    const headers = { "content-type": "application/json" };
    await fetch(`/api/sessions/${id}/gates/gate-1`, { method: "POST", headers, body: JSON.stringify({ verdict: "no" }) });
  }, id);
  await yes(page);
  await page.locator(".toast.bad").first().waitFor();
  isCut = false;
  await gone(page);
  assert.equal(work.text("src/a.txt"), BEFORE);
  await page.context().close();
});

test("G28: a file that changed since it was shown is not written over", async () => {
  const page = await reader(browser, house);
  const { work } = await atGate(page, TWO_HUNKS);
  work.write("src/a.txt", "mine\n");
  model.script(reply({ reply: "Then I leave it.", next_step: "pending_user" }));
  await yes(page);
  await page.getByText("has changed since it was shown").waitFor();
  await said(page, "Then I leave it.").waitFor();
  assert.equal(work.text("src/a.txt"), "mine\n");
  await page.context().close();
});

test("never is an answer: the same is not asked again, and the rule can be forgotten", async () => {
  const page = await reader(browser, house);
  const { work } = await atGate(page, TWO_HUNKS);
  await page.locator("[name='no_scope']").selectOption("session");
  await no(page);
  const rules = page.locator(".listed:has(h2:text-is('Rules'))");
  await rules.getByText("deny change src/a.txt").waitFor();
  model.script(reply({ reply: "Once more.", actions: TWO_HUNKS }), reply({ reply: "I may not.", next_step: "pending_user" }));
  await say(page, "Try again");
  await page.getByText("I may not.").waitFor();
  assert.equal(work.text("src/a.txt"), BEFORE);
  await rules.getByRole("button", { name: "Forget" }).click();
  await rules.waitFor({ state: "detached" });
  await page.context().close();
});

test("a turn is taken back from the page after one more question", async () => {
  const page = await reader(browser, house);
  const { work } = await atGate(page, TWO_HUNKS);
  model.script(approval("Done."));
  await yes(page);
  await page.locator("button:text-is('Accept the result')").waitFor();
  assert.equal(work.text("src/a.txt"), BOTH);
  await page.locator(".listed button.quiet:text-is('Undo this change')").click();
  await page.getByText("Files you have edited since then stay").waitFor();
  assert.equal(work.text("src/a.txt"), BOTH, "not before the answer");
  await page.locator("dialog[open] button.grave").click();
  await page.getByText("Restored to what it was before: src/a.txt").waitFor();
  assert.equal(work.text("src/a.txt"), BEFORE);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("while it works a word waits, interrupts or is asked aside, and it can be stopped", async () => {
  const page = await reader(browser, house);
  const work = project({ "a.txt": "a\n" });
  folders.push(work);
  await openCompanion(page, house, work.folder, { settings: { budget: 500_000 } });
  model.hold();
  await say(page, "Look around");
  const ways = page.locator(".ways-to-say input[type=radio]");
  await ways.first().waitFor({ state: "attached" });
  assert.deepEqual(await page.locator(".ways-to-say label").allInnerTexts(), ["When it is done", "Interrupt now", "Ask separately"]);
  await say(page, "And then the rest");
  await page.locator(".listed:has(h2:text-is('Waiting messages'))").getByText("And then the rest").waitFor();
  const found = [...(await broken(page)), ...(await tooWide(page))];
  await resize(page, { width: 1280, height: 900 });
  assert.deepEqual(found, []);
  const stopped = page.waitForResponse((response) => response.request().method() === "POST");
  await page.locator(".listed:has(h2:text-is('Tasks')) button:text-is('Stop')").first().click();
  assert.ok((await stopped).ok());
  model.release();
  await page.waitForFunction(() => !document.querySelector(".ways-to-say fieldset"));
  await page.context().close();
});

test("the mode is switched, and what was forbidden is lifted, on the page", async () => {
  const page = await reader(browser, house);
  const work = project({ "a.txt": "a\n" });
  folders.push(work);
  const id = await openCompanion(page, house, work.folder, { settings: { budget: 500_000 } });
  await page.locator(".switch button:text-is('plan only')").click();
  await page.locator(".switch [aria-current]:text-is('plan only')").waitFor();
  const headers = { "content-type": "application/json" };
  await page.evaluate(([id, headers]) => fetch(`/api/sessions/${id}/commands`, { method: "POST", headers, body: JSON.stringify({ forbid: { text: "secret" } }) }), [id, headers]);
  const forbidden = page.locator(".listed:has(h2:text-is('Forbidden'))");
  await forbidden.getByRole("button", { name: "Lift" }).click();
  await forbidden.waitFor({ state: "detached" });
  await page.locator(".meter .figures:text-is('0 of 500,000')").waitFor();
  await page.context().close();
});

/** The user's own settings, on the machine that serves, for as long as a test runs. */
async function withSettings(text, run) {
  const file = path.join(house.folder, "config", "companion.toml");
  writeFileSync(file, text);
  try {
    await run();
  } finally {
    rmSync(file);
  }
}

const DENY = '[[rules]]\nverdict = "deny"\noperation = "change"\npattern = "src/**"\n';

test("G23: a session that is begun in the browser keeps to what the user's settings deny", async () => {
  const page = await reader(browser, house);
  const work = project({ "src/a.txt": BEFORE });
  folders.push(work);
  await withSettings(DENY, async () => {
    await beginIn(page, house, work.folder);
    await page.locator(".listed:has(h2:text-is('Rules'))").getByText("deny change src/**").waitFor();
    model.script(reply({ reply: "I will change it.", actions: TWO_HUNKS }), reply({ reply: "I may not.", next_step: "pending_user" }));
    await say(page, "Spell out the numbers");
    await said(page, "I may not.").waitFor();
    assert.equal(await page.locator("form[data-gate]").count(), 0, "nobody is asked about what is denied");
  });
  assert.equal(work.text("src/a.txt"), BEFORE);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("G23: what is denied while a session is open holds from the next word on", async () => {
  const page = await reader(browser, house);
  const work = project({ "src/a.txt": BEFORE });
  folders.push(work);
  await beginIn(page, house, work.folder);
  await withSettings(DENY, async () => {
    model.script(reply({ reply: "I will change it.", actions: TWO_HUNKS }), reply({ reply: "I may not.", next_step: "pending_user" }));
    await say(page, "Spell out the numbers");
    await said(page, "I may not.").waitFor();
  });
  assert.equal(work.text("src/a.txt"), BEFORE);
  await page.context().close();
});

for (const [lang, wrong] of [["en", "cannot be used as a working folder"], ["ja", "作業できません"]]) {
  test(`a folder that does not do stays in its field with what is wrong, for everyone (${lang})`, async () => {
    const page = await reader(browser, house, { lang });
    await page.goto(`${house.address}/`);
    const folder = page.locator("#field-folder");
    await unfold(page);
    for (const typed of ["/nowhere/at/all", "work", path.join(house.folder, "config", "providers", "talker.toml")]) {
      await folder.fill(typed);
      const landed = page.waitForEvent("domcontentloaded");
      await folder.press("Enter");
      await landed;
      await page.locator("#field-folder-error").waitFor();
      assert.equal(await folder.inputValue(), typed);
      await page.locator("#field-folder[aria-invalid=true]:focus").waitFor();
      assert.ok((await page.locator("#field-folder-error").innerText()).includes(wrong));
    }
    const found = [...(await broken(page)), ...(await tooWide(page))];
    assert.deepEqual(found, []);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}

test("what an untrusted project asks for is shown before the session", async () => {
  const work = project({ ".enza/companion.toml": 'checks = [{ name = "evil", command = ["sh", "evil.sh"] }]\n' });
  folders.push(work);
  const page = await reader(browser, house);
  await page.goto(`${house.address}/`);
  await unfold(page);
  await page.locator("#field-folder").fill(work.folder);
  await page.locator("form.in-folder button").click();
  await page.getByText("evil: sh evil.sh").waitFor();
  await page.getByText("Not used, because this folder is not trusted.").waitFor();
  assert.deepEqual([...(await broken(page)), ...(await tooWide(page))], []);
  await page.locator(".begun a.button").click();
  await page.waitForURL(/\/sessions\//u);
  await page.context().close();
});

test("a file that is named with @ goes along, and one that is not there is told", async () => {
  const page = await reader(browser, house);
  const work = project({ "src/a.txt": "the greeting\n" });
  folders.push(work);
  const id = await beginIn(page, house, work.folder);
  model.script(reply({ reply: "I have read it.", next_step: "pending_user" }));
  // What goes by itself is waited for before it comes.
  const told = page.locator(".toast:has-text('Attached: src/a.txt')").waitFor();
  await Promise.all([told, say(page, "Look at @src/a.txt and @src/none.txt")]);
  await page.locator("#words-error:not([hidden])").waitFor();
  assert.equal(await page.locator("#words-error").innerText(), "Not attached: src/none.txt (it was not found)");
  assert.equal(await page.locator("#words").inputValue(), "");
  await said(page, "I have read it.").waitFor();
  const log = await page.evaluate(async (id) => (await fetch(`/api/sessions/${id}/events?limit=100`)).text(), id);
  assert.ok(log.includes("the greeting"), log);
  await page.context().close();
});

test("where there are accounts an administrator works in a folder of the machine", async () => {
  const own = await startScript();
  const shared = await openHouse({ accounts: true, plays: own });
  try {
    const work = project({ "src/a.txt": BEFORE });
    folders.push(work);
    const page = await reader(browser, shared, { signedIn: false });
    await page.goto(shared.link);
    await page.locator("input[name=name]").fill("ada");
    await page.locator("input[name=password]").first().fill("a long enough secret");
    await page.locator("main form button[type=submit], main form button:not([type])").first().click();
    await page.locator("details:has(form.in-folder)").waitFor();
    await beginIn(page, shared, work.folder);
    own.script(reply({ reply: "I will change it.", actions: TWO_HUNKS }), approval("Done."));
    await say(page, "Spell out the numbers");
    await yes(page);
    await done(page);
    assert.equal(work.text("src/a.txt"), BOTH);
    await page.context().close();
  } finally {
    await shared.close();
  }
});
