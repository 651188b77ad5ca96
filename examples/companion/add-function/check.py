"""vat() is right, a test names it, and all tests pass."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, ".")
sys.dont_write_bytecode = True
from shop.price import net, vat  # noqa: E402

assert net(110) == 100, "net() is no longer what it was"
assert abs(vat(110) - 10) < 1e-9, f"vat(110) is {vat(110)}"
tests = "".join(path.read_text() for path in Path("tests").glob("*.py"))
assert "vat(" in tests, "no test calls vat()"
run = subprocess.run([sys.executable, "-B", "-m", "unittest", "-q"], capture_output=True, text=True)
assert run.returncode == 0, run.stderr[-300:]
