"""A small MCP server for tests, from the standard library alone. Its first argument says how it misbehaves.

Each start adds a line to the file that TRACES names, and so does each call, so that a test can count both.
"""

import json
import os
import subprocess
import sys
import time

MANNER = sys.argv[1] if len(sys.argv) > 1 else "well"


def trace(line):
    path = os.environ.get("TRACES")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(line + "\n")


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def tool(name, about, **properties):
    schema = {"type": "object", "properties": {key: {"type": kind} for key, kind in properties.items()}}
    return {"name": name, "description": about, "inputSchema": schema, "annotations": {"readOnlyHint": True}}


PAGES = [
    [tool("echo", "Says it again.", text="string"), tool("variables", "Names what is in the environment.")],
    [tool("shout", "Says it loudly.", text="string"), tool("huge", "Says very much."), tool("no", "Fails.")],
]
if MANNER == "endless":
    PAGES = [[tool(f"t{n}", "One of many.")] for n in range(100)]


def called(name, arguments):
    trace(f"call {name}")
    if MANNER == "dies" or (MANNER == "dies-first" and first_start()):
        print("the server is out of ideas", file=sys.stderr, flush=True)
        os._exit(3)
    if MANNER == "hangs":
        time.sleep(600)
    if name == "echo":
        return text(arguments.get("text", ""))
    if name == "shout":
        return {"content": [], "structuredContent": {"loud": arguments.get("text", "").upper()}}
    if name == "variables":
        return text(" ".join(sorted(os.environ)) + " in " + os.getcwd())
    if name == "huge":
        return text("line of text\n" * 200_000)
    return {**text("it cannot be done"), "isError": True}


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def first_start():
    with open(os.environ["TRACES"], encoding="utf-8") as file:
        return file.read().count("start") == 1


def answer(message):
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        server = {"name": "test", "version": "1"}
        version = params.get("protocolVersion", "2025-06-18")
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        page = int(params.get("cursor") or 0)
        more = {"nextCursor": str(page + 1)} if page + 1 < len(PAGES) or MANNER == "endless" else {}
        return {"tools": PAGES[page % len(PAGES)], **more}
    if method == "tools/call":
        return called(params["name"], params.get("arguments") or {})
    return None


def main():
    trace(f"start {os.getpid()}")
    if MANNER == "family":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.DEVNULL)
        trace(f"child {child.pid}")
    if MANNER == "dead":
        print("no licence found", file=sys.stderr, flush=True)
        sys.exit(1)
    if MANNER == "mute":
        time.sleep(600)
    if MANNER == "nonsense":
        print("Welcome to the server!", flush=True)
        print(json.dumps({"jsonrpc": "2.0", "id": 0, "result": {"never": "heard of"}}), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message)
        if result is None:
            send({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})
        else:
            send({"id": message["id"], "result": result})


main()
