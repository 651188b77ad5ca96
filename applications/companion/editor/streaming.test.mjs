// Words in an editor while the model still writes them (peers, row 26).

import assert from "node:assert/strict";
import { test } from "node:test";
import { BREAK, openStage, pieces, reply, talk } from "./stage.mjs";

const ANEW = "\n\n(That did not become an answer. Writing it again.)\n\n";

/** A session in an editor with a model that plays this. */
async function opened(replies, options) {
  const stage = await openStage(replies, options);
  const editor = await stage.connect();
  const { sessionId } = await editor.request("session/new", { cwd: stage.project, mcpServers: [] });
  const say = (text) => editor.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  return { stage, editor, sessionId, say };
}

/** Waits until exactly this was said. */
async function said(editor, words) {
  for (let tries = 0; editor.words() !== words; tries += 1) {
    assert.ok(tries < 12_000, `said so far: ${JSON.stringify(editor.words())}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function over({ stage, editor }) {
  await editor.close();
  await stage.close();
}

/** A reply cut behind these words of it. */
function cut(whole, words) {
  const text = JSON.stringify(whole);
  const place = text.indexOf(words) + words.length;
  return [text.slice(0, place), text.slice(place)];
}

test("words are told while the model still writes, and none of them twice", async () => {
  const house = await opened([pieces(...cut(talk("I look at the moon. It is bright."), "I look at th"))]);
  let isOver = false;
  const turn = house.say("look up").then((answer) => { isOver = true; return answer; });
  await said(house.editor, "I look at th");
  assert.equal(isOver, false);
  house.stage.model.goOn();
  assert.equal((await turn).stopReason, "end_turn");
  assert.equal(house.editor.words(), "I look at the moon. It is bright.\n\n");
  assert.deepEqual(house.editor.of("agent_message_chunk").map((one) => one.content.text)[0], "I look at th");
  await house.editor.close();
  // Whoever loads the session reads the same.
  const later = await house.stage.connect();
  await later.request("session/load", { sessionId: house.sessionId, cwd: house.stage.project, mcpServers: [] });
  assert.equal(later.words(), house.editor.words());
  await over({ stage: house.stage, editor: later });
});

test("what a rule takes out of a reply is not told before (DUCK-93)", async () => {
  const house = await opened([pieces(...cut(talk("Shall I look? Or not? It is dark."), "Or not? It"))]);
  const turn = house.say("look up");
  await said(house.editor, "Shall I look?");
  house.stage.model.goOn();
  await turn;
  assert.equal(house.editor.words(), "Shall I look? It is dark.\n\n");
  await over(house);
});

test("nonsense is no answer: its words are followed by the ones that count, with a line that says so", async () => {
  const nonsense = pieces(...cut({ ...reply({}), step: "NOWHERE", reply: "I have done it all." }, "done it all."));
  const house = await opened([nonsense, talk("Nothing is done yet."), pieces("I speak no JSON, { sorry."), talk("Now I do.")]);
  const turn = house.say("do it");
  await said(house.editor, "I have done it all.");
  house.stage.model.goOn();
  await turn;
  assert.equal(house.editor.words(), `I have done it all.${ANEW}Nothing is done yet.\n\n`);
  // Where nothing was shown, nothing has to be taken back.
  await house.say("and now?");
  assert.equal(house.editor.words(), `I have done it all.${ANEW}Nothing is done yet.\n\nNow I do.\n\n`);
  assert.equal(house.stage.model.asked.length, 4);
  await over(house);
});

test("a reply whose connection breaks goes on with the same words, or says that it begins again", async () => {
  const begun = (words) => pieces(cut(talk("I look at the moon."), words)[0], BREAK);
  const house = await opened([begun("I look at"), talk("I look at the moon."), begun("I look"), talk("No, I sleep.")]);
  const first = house.say("look up");
  await said(house.editor, "I look at");
  house.stage.model.goOn();
  await first;
  assert.equal(house.editor.words(), "I look at the moon.\n\n");
  const second = house.say("look again");
  await said(house.editor, "I look at the moon.\n\nI look");
  house.stage.model.goOn();
  await second;
  assert.equal(house.editor.words(), `I look at the moon.\n\nI look${ANEW}No, I sleep.\n\n`);
  await over(house);
});

test("a turn that is cancelled in the middle of a sentence says that it broke off", async () => {
  const house = await opened([pieces(...cut(talk("I look at the moon."), "I look at th")), talk("I am back.")], { lang: "ja_JP.UTF-8" });
  const turn = house.say("月を見て");
  await said(house.editor, "I look at th");
  await house.editor.notify("session/cancel", { sessionId: house.sessionId });
  assert.equal((await turn).stopReason, "cancelled");
  assert.match(house.editor.words(), /^I look at th…\n\n\(ここで途切れました。\)\n\n/u);
  await house.say("いますか");
  assert.match(house.editor.words(), /I am back\.\n\n$/u);
  await over(house);
});
