"""The old name is gone, the new one is used, and the report prints what it printed."""

import re
import subprocess
import sys
from pathlib import Path

for path in (Path("cart.py"), Path("report.py")):
    text = path.read_text()
    assert not re.search(r"\bcalc\b", text), f"{path} still says calc"
    assert "total_price" in text, f"{path} does not say total_price"
run = subprocess.run([sys.executable, "-B", "report.py"], capture_output=True, text=True)
assert run.stdout == "net 250\ngross 275.0\n", (run.stdout + run.stderr)[-300:]
