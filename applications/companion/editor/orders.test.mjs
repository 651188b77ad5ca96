// What can be typed behind a slash in an editor: our own orders, and a person's.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { approval, change, openStage, talk } from "./stage.mjs";

const say = (sessionId, text) => ({ sessionId, prompt: [{ type: "text", text }] });
const yes = () => ({ outcome: "selected", optionId: "once" });

/** A stage, an editor and a session; `put` is given the stage before the session is opened. */
async function opened(replies, put = () => {}) {
  const stage = await openStage(replies);
  put(stage);
  const editor = await stage.connect(yes);
  await editor.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await editor.request("session/new", { cwd: stage.project, mcpServers: [] });
  /** Types something, and gives what was said since. */
  const typed = async (text) => {
    const before = editor.words().length;
    assert.equal((await editor.request("session/prompt", say(sessionId, text))).stopReason, "end_turn");
    return editor.words().slice(before);
  };
  return { stage, editor, id: sessionId, typed };
}

async function over({ stage, editor }) {
  await editor.close();
  await stage.close();
}

async function listed(editor) {
  for (let tries = 0; editor.of("available_commands_update").length === 0; tries += 1) {
    assert.ok(tries < 12_000, "the orders were never told");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return editor.of("available_commands_update").at(-1).availableCommands;
}

test("a person's own command is listed, and says what its file says", async () => {
  const house = await opened([talk("Reviewed.")], (stage) => {
    stage.put("project/.enza/commands/look.md", "Look closely at $ARGUMENTS, please.\n");
    stage.put("config/commands/greet.md", "Say hello.\n");
  });
  const commands = await listed(house.editor);
  const own = commands.filter((one) => ["look", "greet"].includes(one.name));
  assert.deepEqual(own.map((one) => one.name), ["greet", "look"]);
  assert.ok(own.every((one) => one.description !== "" && one.input.hint !== ""));
  assert.match(await house.typed("/look @src/greet.txt"), /Reviewed\./u);
  const [asked] = house.stage.model.asked;
  assert.ok(asked.includes("Look closely at @src/greet.txt, please.") && asked.includes("hello\\nworld"), asked);
  await over(house);
});

// DUCK-61: what is forbidden is lifted where it was forbidden.
test("what was forbidden in an editor is lifted there, and rules come and go", async () => {
  const house = await opened([]);
  await house.typed("/forbid src/greet.txt");
  assert.match(await house.typed("/rules"), /src\/greet\.txt/u);
  assert.match(await house.typed("/lift 1"), /Lifted: src\/greet\.txt/u);
  assert.doesNotMatch(await house.typed("/rules"), /src\/greet\.txt/u);
  await house.typed("/deny run git push *");
  assert.match(await house.typed("/rules"), /git push/u);
  await house.typed("/forget 1");
  assert.doesNotMatch(await house.typed("/rules"), /git push/u);
  assert.equal(house.stage.model.asked.length, 0, "an order asks no model");
  await over(house);
});

test("every order that is listed is obeyed as an order, and one that is none is not said to the model", async () => {
  const house = await opened([]);
  for (const { name } of await listed(house.editor)) {
    const more = { fork: " 1", rewind: " 1", front: " 1", forget: " 1", lift: " 1", budget: " 5", allow: " run ls", deny: " run ls", forbid: " x" }[name] ?? "";
    const words = await house.typed(`/${name}${more}`).catch((error) => error.data.hint);
    assert.doesNotMatch(words, /There is no command|does not work here|only works at a terminal's keyboard/u, name);
  }
  assert.match(await house.typed("/edit"), /only works at a terminal's keyboard[\s\S]*enza companion --continue/u);
  assert.match(await house.typed("/servers"), /enza companion servers/u);
  assert.match(await house.typed("/nonsense"), /There is no command \/nonsense/u);
  assert.equal(house.stage.model.asked.length, 0);
  await over(house);
});

test("a fork and a rewind begin another session, which the editor can open", async () => {
  const house = await opened([talk("Hello."), change(), approval()]);
  await house.typed("hello");
  await house.typed("greet the moon");
  assert.equal(house.stage.text("src/greet.txt"), "hello\nmoon\n");
  const named = (words) => /[0-9a-f]{8}-[0-9a-f-]+/u.exec(words)[0];
  const fork = named(await house.typed("/fork 2"));
  assert.equal(house.stage.text("src/greet.txt"), "hello\nmoon\n", "files stay");
  const rewound = named(await house.typed("/rewind 2"));
  assert.equal(house.stage.text("src/greet.txt"), "hello\nworld\n", "files are taken back");
  const { sessions } = await house.editor.request("session/list", { cwd: house.stage.project });
  const known = sessions.map((one) => one.sessionId);
  assert.ok([fork, rewound].every((id) => known.includes(id)), known.join());
  await house.editor.request("session/load", { sessionId: rewound, cwd: house.stage.project, mcpServers: [] });
  assert.deepEqual(house.editor.of("user_message_chunk").map((one) => one.content.text), ["hello"]);
  await over(house);
});

test("a session is written to a file", async () => {
  const house = await opened([talk("Hello.")]);
  await house.typed("hello");
  const words = await house.typed("/export");
  const [file] = /\/\S+\.md/u.exec(words);
  assert.ok(existsSync(file), words);
  await over(house);
});
