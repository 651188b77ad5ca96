// The companion in an editor, by the protocol's own library (peers, row 26).

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { approval, change, openStage, reply, talk } from "./stage.mjs";

const SERVER = fileURLToPath(new URL("../../../workshop/tests/servers/server.py", import.meta.url));
const say = (sessionId, text) => ({ sessionId, prompt: [{ type: "text", text }] });
const select = (optionId) => () => ({ outcome: "selected", optionId });

/** A stage, an editor that has introduced itself, and a session. */
async function opened(replies, permit, options) {
  const stage = await openStage(replies, options);
  const editor = await stage.connect(permit);
  const introduction = await editor.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const session = await editor.request("session/new", { cwd: stage.project, mcpServers: [] });
  return { stage, editor, introduction, session, id: session.sessionId };
}

/** Waits until the editor was told something of this kind; what is told of its own accord comes behind the answer. */
async function heard(editor, kind) {
  for (let tries = 0; editor.of(kind).length === 0; tries += 1) {
    assert.ok(tries < 12_000, `${kind} was never told`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Everything that was told but the person's own words; what was said in pieces is joined, as an editor does. */
function shape(editor) {
  const updates = editor.updates.map((one) => one.update).filter((update) => !["user_message_chunk", "available_commands_update"].includes(update.sessionUpdate));
  const joined = [];
  for (const update of updates) {
    const last = joined.at(-1);
    const isMore = update.sessionUpdate === "agent_message_chunk" && last?.sessionUpdate === "agent_message_chunk";
    if (isMore) joined[joined.length - 1] = { ...last, content: { ...last.content, text: last.content.text + update.content.text } };
    else joined.push(update);
  }
  return joined;
}

async function over({ stage, editor }) {
  await editor.close();
  await stage.close();
}

test("the introduction says what is served, and nothing has to be shown at the door", async () => {
  const house = await opened([]);
  assert.equal(house.introduction.protocolVersion, 1);
  assert.equal(house.introduction.agentCapabilities.loadSession, true);
  assert.deepEqual(house.introduction.agentCapabilities.promptCapabilities, { image: false, audio: false, embeddedContext: true });
  assert.deepEqual(house.introduction.agentCapabilities.sessionCapabilities, { list: {}, resume: {}, close: {} });
  assert.deepEqual(house.introduction.authMethods, []);
  assert.equal(house.introduction.agentInfo.name, "enza");
  assert.deepEqual(house.session.modes.availableModes.map((mode) => mode.id), ["ask", "plan", "accept_edits"]);
  assert.equal(house.session.modes.currentModeId, "ask");
  const newer = await house.editor.request("initialize", { protocolVersion: 9 });
  assert.equal(newer.protocolVersion, 1);
  await heard(house.editor, "available_commands_update");
  await over(house);
  const order = house.editor.wire.map((message) => message.result?.sessionId ?? message.params?.update?.sessionUpdate).filter(Boolean);
  assert.deepEqual(order, [house.id, "available_commands_update"], "an editor must know a session before it hears of it");
  const [commands] = house.editor.of("available_commands_update");
  const names = commands.availableCommands.map((one) => one.name);
  assert.ok(["undo", "status", "why"].every((name) => names.includes(name)), names.join());
});

test("a change is asked for with its diff, made after the yes, and the turn ends", async () => {
  const house = await opened([change(), approval()], select("once"));
  const { stage, editor, id } = house;
  const answer = await editor.request("session/prompt", say(id, "greet the moon"));
  assert.equal(answer.stopReason, "end_turn");
  assert.equal(stage.text("src/greet.txt"), "hello\nmoon\n");
  const [question] = editor.asked;
  assert.deepEqual(question.options.map((one) => [one.optionId, one.kind]), [["once", "allow_once"], ["session", "allow_always"], ["project", "allow_always"], ["reject", "reject_once"], ["reject-session", "reject_always"], ["reject-project", "reject_always"]]);
  const file = path.join(stage.project, "src/greet.txt");
  const diff = { type: "diff", path: file, oldText: "hello\nworld\n", newText: "hello\nmoon\n" };
  assert.deepEqual(question.toolCall.content.filter((piece) => piece.type === "diff"), [diff]);
  const [call] = editor.of("tool_call");
  assert.deepEqual([call.title, call.kind, call.status, call.locations], ["Edit: src/greet.txt", "edit", "pending", [{ path: file }]]);
  assert.equal(question.toolCall.toolCallId, call.toolCallId);
  const updates = editor.of("tool_call_update").filter((update) => update.toolCallId === call.toolCallId);
  assert.deepEqual(updates.map((update) => update.status ?? null), [null, "in_progress", "completed"]);
  assert.deepEqual(updates[0].content, [diff]);
  assert.match(editor.words(), /I will greet the moon\.[\s\S]*It greets the moon\./u);
  // An ordinary session: the terminal goes on with it.
  await over({ stage: { close() {} }, editor });
  const listed = JSON.parse((await stage.enza("--json", "session", "list")).out);
  assert.deepEqual(listed.map((row) => row.id ?? row.session), [id]);
  await stage.close();
});

test("a no leaves everything as it was", async () => {
  const house = await opened([change()], select("reject"));
  const answer = await house.editor.request("session/prompt", say(house.id, "greet the moon"));
  assert.equal(answer.stopReason, "end_turn");
  assert.equal(house.stage.text("src/greet.txt"), "hello\nworld\n");
  const statuses = house.editor.of("tool_call_update").map((update) => update.status).filter(Boolean);
  assert.deepEqual(statuses, ["failed"]);
  assert.equal(house.stage.model.asked.length, 1);
  await over(house);
});

test("a yes for the project is kept in the user's settings and asked for no more", async () => {
  const again = reply({ reply: "Once more.", actions: [{ operation: "edit", path: "src/greet.txt", old: "moon", content: "sun" }] });
  const house = await opened([change(), approval(), again, approval()], select("project"));
  await house.editor.request("session/prompt", say(house.id, "greet the moon"));
  await house.editor.request("session/prompt", say(house.id, "/accept"));
  await house.editor.request("session/prompt", say(house.id, "greet the sun"));
  assert.equal(house.stage.text("src/greet.txt"), "hello\nsun\n");
  assert.equal(house.editor.asked.length, 1);
  await house.editor.close();
  const kept = readFileSync(path.join(house.stage.config, "companion.toml"), "utf8");
  assert.match(kept, /operation = "change"\npattern = "src\/greet\.txt"/u);
  await house.stage.close();
});

test("a no for the project is kept in the user's settings and not asked again", async () => {
  const house = await opened([change(), change(), talk("Not that file, then.")], select("reject-project"));
  await house.editor.request("session/prompt", say(house.id, "greet the moon"));
  await house.editor.request("session/prompt", say(house.id, "greet the moon all the same"));
  assert.equal(house.stage.text("src/greet.txt"), "hello\nworld\n");
  assert.equal(house.editor.asked.length, 1);
  await house.editor.close();
  const kept = readFileSync(path.join(house.stage.config, "companion.toml"), "utf8");
  assert.match(kept, /verdict = "deny"\noperation = "change"\npattern = "src\/greet\.txt"/u);
  await house.stage.close();
});

test("a session that is loaded obeys what was denied since", async () => {
  const house = await opened([talk("Hello."), change(), talk("I may not.")], select("once"));
  await house.editor.request("session/prompt", say(house.id, "hello"));
  await house.editor.close();
  const rule = '[[rules]]\nverdict = "deny"\noperation = "change"\npattern = "src/**"\n';
  writeFileSync(path.join(house.stage.config, "companion.toml"), rule);
  const later = await house.stage.connect(select("once"));
  await later.request("initialize", { protocolVersion: 1 });
  await later.request("session/load", { sessionId: house.id, cwd: house.stage.project, mcpServers: [] });
  await later.request("session/prompt", say(house.id, "greet the moon"));
  assert.equal(later.asked.length, 0);
  assert.equal(house.stage.text("src/greet.txt"), "hello\nworld\n");
  await later.close();
  await house.stage.close();
});

test("a turn that is cancelled while the model writes ends as cancelled", async () => {
  const house = await opened(["silence", talk("I am back.")]);
  const heard = house.stage.model.hears();
  const turn = house.editor.request("session/prompt", say(house.id, "think for ever"));
  await heard;
  await assert.rejects(house.editor.request("session/prompt", say(house.id, "and now?")), (error) => error.data.code === "work-under-way");
  await house.editor.notify("session/cancel", { sessionId: house.id });
  assert.equal((await turn).stopReason, "cancelled");
  const next = await house.editor.request("session/prompt", say(house.id, "are you there?"));
  assert.equal(next.stopReason, "end_turn");
  assert.match(house.editor.words(), /I am back\./u);
  await over(house);
});

test("a turn that is cancelled at a question leaves the question open, and it is asked again", async () => {
  let turnUnderWay = null;
  let calls = 0;
  const permit = async () => {
    calls += 1;
    if (calls > 1) return { outcome: "selected", optionId: "once" };
    await turnUnderWay();
    return { outcome: "cancelled" };
  };
  const house = await opened([change(), talk("It is about the moon."), approval()], permit);
  turnUnderWay = () => house.editor.notify("session/cancel", { sessionId: house.id });
  const first = await house.editor.request("session/prompt", say(house.id, "greet the moon"));
  assert.equal(first.stopReason, "cancelled");
  assert.equal(house.stage.text("src/greet.txt"), "hello\nworld\n");
  const second = await house.editor.request("session/prompt", say(house.id, "what was that about?"));
  assert.equal(second.stopReason, "end_turn");
  assert.equal(house.editor.asked.length, 2);
  assert.equal(house.editor.asked[0].toolCall.toolCallId, house.editor.asked[1].toolCall.toolCallId);
  assert.equal(house.stage.text("src/greet.txt"), "hello\nmoon\n");
  await over(house);
});

test("a session that is loaded tells everything again, and one that is resumed tells nothing", async () => {
  const house = await opened([change(), approval()], select("once"));
  await house.editor.request("session/prompt", say(house.id, "greet the moon"));
  await house.editor.close();
  const later = await house.stage.connect();
  await later.request("initialize", { protocolVersion: 1 });
  const loaded = await later.request("session/load", { sessionId: house.id, cwd: house.stage.project, mcpServers: [] });
  assert.equal(loaded.modes.currentModeId, "ask");
  assert.deepEqual(later.of("user_message_chunk").map((one) => one.content.text), ["greet the moon"]);
  assert.deepEqual(shape(later), shape(house.editor));
  const { sessions } = await later.request("session/list", { cwd: house.stage.project });
  assert.deepEqual(sessions.map((one) => [one.sessionId, one.cwd, one.title]), [[house.id, house.stage.project, "greet the moon"]]);
  assert.deepEqual((await later.request("session/list", { cwd: "/elsewhere" })).sessions, []);
  await later.close();
  const last = await house.stage.connect();
  await last.request("session/resume", { sessionId: house.id, cwd: house.stage.project });
  const undone = await last.request("session/prompt", say(house.id, "/undo"));
  assert.equal(undone.stopReason, "end_turn");
  assert.equal(house.stage.text("src/greet.txt"), "hello\nworld\n");
  assert.deepEqual(last.of("user_message_chunk"), []);
  await last.request("session/close", { sessionId: house.id });
  await last.close();
  await house.stage.close();
});

test("what was said at a terminal meanwhile is told at the next turn", async () => {
  const house = await opened([talk("One."), talk("Two."), talk("Three.")]);
  await house.editor.request("session/prompt", say(house.id, "first"));
  const elsewhere = await house.stage.enza("companion", "--resume", house.id, "-p", "second");
  assert.equal(elsewhere.status, 0, elsewhere.err);
  await house.editor.request("session/prompt", say(house.id, "third"));
  assert.deepEqual(house.editor.of("user_message_chunk").map((one) => one.content.text), ["second"]);
  assert.deepEqual(house.editor.words().split(/\s+/u).filter(Boolean), ["One.", "Two.", "Three."]);
  await over(house);
});

test("in plan mode nothing is changed, and the plan is shown with its steps", async () => {
  const plan = { name: "Greet", purpose: "a greeting", steps: ["Look at greet.txt", "Change it"], risk: "low", success: "it greets" };
  const house = await opened([reply({ prompt_pattern: "base_main_specialized", next_step: "continue" }), reply({ plan, next_step: "continue" }), change(), talk("Not now.")]);
  await house.editor.request("session/set_mode", { sessionId: house.id, modeId: "plan" });
  const planned = await house.editor.request("session/prompt", say(house.id, "plan a greeting"));
  assert.equal(planned.stopReason, "end_turn");
  assert.deepEqual(house.editor.of("plan").at(-1).entries, [
    { content: "Look at greet.txt", priority: "medium", status: "pending" },
    { content: "Change it", priority: "medium", status: "pending" },
  ]);
  assert.equal(house.editor.of("current_mode_update")[0].currentModeId, "plan");
  await house.editor.request("session/prompt", say(house.id, "do it all the same"));
  assert.equal(house.stage.text("src/greet.txt"), "hello\nworld\n");
  assert.equal(house.editor.asked.length, 0);
  assert.ok(house.editor.of("tool_call_update").some((update) => update.status === "failed"));
  await assert.rejects(house.editor.request("session/set_mode", { sessionId: house.id, modeId: "yolo" }), (error) => error.code === -32602);
  await over(house);
});

test("files that an editor hands over are read to the model", async () => {
  const house = await opened([talk("I see.")]);
  const uri = (name) => `file://${house.stage.project}/${name}`;
  house.stage.put("project/notes.txt", "a note on the shelf\n");
  const prompt = [
    { type: "text", text: "look at " },
    { type: "resource_link", name: "notes", uri: uri("notes.txt") },
    { type: "resource", resource: { uri: uri("unsaved.txt"), text: "words not yet saved" } },
  ];
  await house.editor.request("session/prompt", { sessionId: house.id, prompt });
  const [asked] = house.stage.model.asked;
  assert.ok(asked.includes("a note on the shelf") && asked.includes("words not yet saved"), asked);
  const picture = [{ type: "image", data: "AAAA", mimeType: "image/png" }];
  await assert.rejects(house.editor.request("session/prompt", { sessionId: house.id, prompt: picture }), (error) => error.code === -32602 && error.data.hint !== "");
  await over(house);
});

test("instructions that appear during a session are read to the model with what is said next", async () => {
  const house = await opened([talk("One."), talk("Two."), talk("Three.")]);
  await house.editor.request("session/prompt", say(house.id, "first"));
  house.stage.put("project/src/AGENTS.md", "Greet in capitals.\n");
  await house.editor.request("session/prompt", say(house.id, "second"));
  await house.editor.request("session/prompt", say(house.id, "third"));
  const times = house.stage.model.asked.map((asked) => asked.split("Greet in capitals.").length - 1);
  assert.deepEqual(times, [0, 1, 1], "it stays in the conversation, and is told once");
  assert.deepEqual(house.editor.of("agent_thought_chunk").map((one) => one.content.text), ["Attached: src/AGENTS.md\n\n"]);
  await over(house);
});

test("a wrong message gets an error, and the connection lives on", async () => {
  const house = await opened([talk("Still here.")]);
  const { editor, id } = house;
  const answered = (wanted) => new Promise((there) => {
    const look = setInterval(() => {
      const found = editor.wire.find((message) => message.error && message.error.code === wanted);
      if (found) { clearInterval(look); there(found); }
    }, 10);
  });
  editor.write("this is no JSON\n");
  assert.equal((await answered(-32700)).id, null);
  editor.write("[]\n");
  assert.equal((await answered(-32600)).id, null);
  await assert.rejects(editor.request("session/dance", {}), (error) => error.code === -32601);
  await assert.rejects(editor.request("session/prompt", say("nobody", "hello")), (error) => error.code === -32002 && error.data.code === "session-unknown" && error.data.hint.length > 0);
  await assert.rejects(editor.request("session/new", { cwd: "relative", mcpServers: [] }), (error) => error.code === -32602);
  await assert.rejects(editor.request("session/new", { cwd: "/missing/folder", mcpServers: [] }), (error) => error.data.code === "file-unreadable");
  assert.equal((await editor.request("session/prompt", say(id, "hello"))).stopReason, "end_turn");
  assert.match(editor.words(), /Still here\./u);
  await over(house);
});

test("an editor that goes away in the middle leaves a session that can be gone on with", async () => {
  const house = await opened(["silence", talk("Here I am again."), talk("Yes, I am.")]);
  const heard = house.stage.model.hears();
  house.editor.request("session/prompt", say(house.id, "think for ever")).catch(() => {});
  await heard;
  await house.editor.close();
  const later = await house.stage.connect();
  await later.request("session/load", { sessionId: house.id, cwd: house.stage.project, mcpServers: [] });
  assert.deepEqual(later.of("user_message_chunk").map((one) => one.content.text), ["think for ever"]);
  // The call that was under way is made again by whoever works on the session now.
  assert.equal((await later.request("session/prompt", say(house.id, "are you there?"))).stopReason, "end_turn");
  assert.match(later.words(), /Here I am again\.[\s\S]*Yes, I am\./u);
  await later.close();
  await house.stage.close();
});

test("a model that does not answer is an error with our code and the next step", async () => {
  const house = await opened([]);
  await assert.rejects(house.editor.request("session/prompt", say(house.id, "hello")), (error) => error.data.code === "session-stuck" && error.data.hint.includes("--resume"));
  await over(house);
});

test("a budget that is used up ends the turn with max_tokens", async () => {
  const stage = await openStage([talk("Hello.")]);
  stage.put("config/companion.toml", "budget = 10\n");
  const editor = await stage.connect();
  const { sessionId } = await editor.request("session/new", { cwd: stage.project, mcpServers: [] });
  assert.equal((await editor.request("session/prompt", say(sessionId, "hello"))).stopReason, "max_tokens");
  await over({ stage, editor });
});

test("a server that an editor lends is asked for like everything else", async () => {
  const use = reply({ next_step: "continue", reply: "I ask it.", actions: [{ operation: "tool", command: ["lent-one/echo"], arguments: { text: "far away" } }] });
  const stage = await openStage([use, talk("It said so."), talk("Well."), talk("Well.")]);
  const editor = await stage.connect(select("once"));
  const lent = { name: "lent one", command: "python3", args: [SERVER, "well"], env: [{ name: "TRACES", value: stage.put("traces", "") }] };
  const { sessionId } = await editor.request("session/new", { cwd: stage.project, mcpServers: [lent] });
  await editor.request("session/prompt", say(sessionId, "use the echo"));
  const [call] = editor.of("tool_call");
  assert.deepEqual([call.title, call.kind, call.rawInput], ["Tool: lent-one/echo", "other", { text: "far away" }]);
  const done = editor.of("tool_call_update").find((update) => update.status === "completed");
  assert.deepEqual(done.content, [{ type: "content", content: { type: "text", text: "far away" } }]);
  assert.equal(editor.asked.length, 1);
  await over({ stage, editor });
});

test("a server that an editor lends over HTTP is asked for like everything else", async () => {
  const use = reply({ next_step: "continue", reply: "I ask it.", actions: [{ operation: "tool", command: ["far/echo"], arguments: { text: "far away" } }] });
  const stage = await openStage([use, talk("It said so."), talk("Well."), talk("Well.")]);
  const far = await openFar();
  const editor = await stage.connect(select("once"));
  const introduction = await editor.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  assert.deepEqual(introduction.agentCapabilities.mcpCapabilities, { http: true, sse: false });
  const lent = { type: "http", name: "far", url: far.url, headers: [{ name: "X-Team", value: "blue" }] };
  const { sessionId } = await editor.request("session/new", { cwd: stage.project, mcpServers: [lent] });
  await editor.request("session/prompt", say(sessionId, "use the echo"));
  const done = editor.of("tool_call_update").find((update) => update.status === "completed");
  assert.deepEqual(done.content, [{ type: "content", content: { type: "text", text: "far away, blue" } }]);
  assert.equal(editor.asked.length, 1);
  await over({ stage, editor });
  far.close();
});

/** A small MCP server over HTTP. */
async function openFar() {
  const tool = { name: "echo", description: "Says it again.", inputSchema: { type: "object" } };
  const results = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "far", version: "1" } }),
    "tools/list": () => ({ tools: [tool] }),
    "tools/call": (params, headers) => ({ content: [{ type: "text", text: `${params.arguments.text}, ${headers["x-team"]}` }] }),
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body || "{}");
    if (id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { "Content-Type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method](params, request.headers) }));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, close: () => server.close() };
}

test("everything is said in Japanese where the person reads Japanese", async () => {
  const house = await opened([change()], select("reject"), { lang: "ja_JP.UTF-8" });
  await house.editor.request("session/prompt", say(house.id, "月に挨拶して"));
  assert.equal(house.editor.of("tool_call")[0].title, "編集: src/greet.txt");
  assert.deepEqual(house.editor.asked[0].options.map((one) => one.name), ["今回だけ許可", "このセッションでは常に許可", "このフォルダーでは常に許可", "断る", "このセッションでは常に断る", "このフォルダーでは常に断る"]);
  await house.editor.request("session/prompt", say(house.id, "/status"));
  assert.match(house.editor.words(), /確認する/u);
  await over(house);
});
