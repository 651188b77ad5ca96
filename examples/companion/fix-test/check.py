"""All tests pass, and they are the tests that were there."""

import hashlib
import subprocess
import sys
from pathlib import Path

tests = hashlib.sha256(Path("tests/test_stats.py").read_bytes()).hexdigest()
assert tests.startswith("10797f9defcc9113"), "the test was changed"
run = subprocess.run([sys.executable, "-B", "-m", "unittest", "-q"], capture_output=True, text=True)
assert run.returncode == 0, run.stderr[-300:]
