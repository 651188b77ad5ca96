"""The file is as it was, and the answer names at least three of the four things that it does."""

import hashlib
import json
import sys
from pathlib import Path

digest = hashlib.sha256(Path("inventory.py").read_bytes()).hexdigest()
assert digest.startswith("b34823628f42d99d"), "the file was changed"
said = " ".join(json.loads(Path(sys.argv[1]).read_text())).lower()
points = [("json", "file"), ("restock", "add", "increas"), ("sell", "sold", "reduc", "decreas"), ("error", "rais", "enough")]
named = [words for words in points if any(word in said for word in words)]
assert len(named) >= 3, f"named {len(named)} of 4: {said[:300]}"
