"""The one file is blue, the forbidden one is as it was."""

from pathlib import Path

assert Path("legacy/theme.txt").read_text() == "color = red\nsize = 10\n", "the forbidden file was changed"
text = Path("theme.txt").read_text()
assert "blue" in text and "red" not in text, f"theme.txt: {text!r}"
assert "size = 12" in text, f"theme.txt lost a line: {text!r}"
