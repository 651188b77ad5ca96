// A respondent who answers the sign-up of `share.mjs` in the chat, by its link, from the door to the receipt.

export const ANSWERS = {
  en: { name: "Ada Lovelace", meal: "Vegetables", game: "Croquet", email: "ada@example.org" },
  ja: { name: "山田花子", meal: "野菜", game: "将棋", email: "hanako@example.jp" },
};

export const turn = (page) => page.locator("#composer:not([hidden]) button:not([disabled])").waitFor();
export const line = (page, text) => page.locator(`.message.person .words:text-is(${JSON.stringify(text)})`);

/** Comes by a link, agrees, and waits for the first question. Gives the address to come back to. */
export async function begin(page, address) {
  await page.goto(address);
  await page.locator("[name=consent]").check();
  await page.locator(".begin button").click();
  await page.waitForURL(/\/r\//u);
  await turn(page);
  return new URL(page.url()).pathname;
}

/** What happens is answered in words, and shown. */
export async function say(page, text) {
  await turn(page);
  await page.locator("#words").fill(text);
  await page.locator("#words").press("Enter");
  await line(page, text).last().waitFor();
}

/** Answers everything up to the confirmation. */
export async function answerAll(page, { name, meal, game, email }) {
  await say(page, name);
  await page.locator(".reply").first().click();
  await page.locator(`.reply:text-is(${JSON.stringify(meal)})`).click();
  await page.locator(`.picker .option:has-text(${JSON.stringify(game)})`).click();
  await page.locator(".picker button").click();
  await page.locator(".picker input[type=date]").fill("2027-05-20");
  await page.locator(".picker button").click();
  await page.locator(".picker input[type=email]").fill(email);
  await page.locator(".picker button").click();
  // The question before may be passed over as well, as long as it is there.
  await page.locator(".picker input[type=email]").waitFor({ state: "detached" });
  await page.locator(".skips button").first().click();
  await page.locator(".closing").waitFor();
}

/**
 * Says the last yes. A refusal ends it at once. Where no receipt comes, it is said what the page shows instead, and what
 * it was answered.
 */
export async function submit(page) {
  const answers = [];
  const isPost = (request) => request.method() === "POST";
  const note = (response) => answers.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  const noteLoss = (request) => answers.push(`${request.failure().errorText} ${request.method()} ${request.url()}`);
  page.on("response", note);
  page.on("requestfailed", noteLoss);
  try {
    const sent = page.waitForRequest(isPost);
    await Promise.all([sent, page.locator(".submit button.main").click()]);
    await Promise.race([page.locator("#receipt").waitFor(), refused(page, await sent)]);
  } catch (late) {
    const shown = await page.locator("#toasts, .submit, #link-lost").evaluateAll((all) => all.map((one) => one.outerHTML));
    throw new Error([late.message, page.url(), ...answers, ...shown, ...page.troubles].join("\n"));
  } finally {
    page.off("response", note);
    page.off("requestfailed", noteLoss);
  }
}

/** Fails as soon as the page says that something went wrong, or the server refuses for good; else it never ends. */
function refused(page, sent) {
  return new Promise((_, refuse) => {
    const toast = page.locator(".toast.bad").first();
    // The page may go on to the receipt, or be closed, before there is an answer to read.
    toast.waitFor().then(() => toast.innerText()).then((words) => refuse(new Error(`the page says: ${words}`)), () => {});
    // What the server could not do just now is sent again by the page.
    const isFinal = (status) => status >= 400 && status < 500;
    const read = async (answer) => isFinal(answer?.status()) && refuse(new Error(`${answer.status()}: ${await answer.text()}`));
    sent.response().then(read).catch(() => {});
  });
}
