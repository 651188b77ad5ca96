"""A model that plays by script, for recordings: OpenAI's streaming dialect on this machine alone.

Every request gets the next reply of the script, a few letters at a time, so that a recording shows words as they come.
Nothing here is part of Enza; `record.py` starts it and makes it known to a house of its own.
"""

import http.server
import json
import threading
import time

FEW = 8
PAUSE = 0.04


class Stage(http.server.ThreadingHTTPServer):
    """Serves a script of replies, each a dict that becomes the model's JSON object."""

    daemon_threads = True

    def __init__(self, replies):
        super().__init__(("127.0.0.1", 0), Part)
        self.replies = list(replies)
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Part(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        with self.server.lock:
            reply = self.server.replies.pop(0) if self.server.replies else None
        if reply is None:
            self.send_error(400, "the script is over")
            return
        text = json.dumps(reply, ensure_ascii=False)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for start in range(0, len(text), FEW):
            self.event({"choices": [{"index": 0, "delta": {"content": text[start : start + FEW]}}]})
            time.sleep(PAUSE)
        self.event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self.event({"choices": [], "usage": {"prompt_tokens": 1840, "completion_tokens": 210, "total_tokens": 2050}})
        self.wfile.write(b"data: [DONE]\n\n")

    def event(self, value):
        self.wfile.write(f"data: {json.dumps(value)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_):
        pass
