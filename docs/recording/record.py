"""Records the companion at a terminal and writes the recording as one animated SVG.

    python3 docs/recording/record.py [en|ja] OUTPUT.svg        (needs tmux and a built target/debug/enza)

The run is real: a small project with tests, a house of its own, the binary in tmux, keys typed when what they answer is
on the screen. Only the model is played, by `stage.py`. Nothing of the developer's gets in, and nothing is left behind.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

# Nothing is left beside the scripts.
sys.dont_write_bytecode = True

import drawing
import story
from stage import Stage

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS, ROWS = 88, 30
PATIENCE = 60


class Recording:
    """A pane of tmux and what was seen in it, with how long each sight stays."""

    def __init__(self, name, command, folder, environment):
        self.name = name
        self.frames = []
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "it", "-x", str(COLUMNS), "-y", str(ROWS), "-c", folder,
                  "env", "-i", *[f"{key}={value}" for key, value in environment.items()], *command)
        self.tmux("set", "-g", "status", "off")

    def tmux(self, *arguments):
        ran = subprocess.run(["tmux", "-L", self.name, *arguments], check=True, capture_output=True, text=True)
        return ran.stdout

    def look(self):
        lines = self.tmux("capture-pane", "-e", "-p", "-t", "it").split("\n")[:ROWS]
        now = time.monotonic()
        if not self.frames or self.frames[-1][0] != lines:
            self.frames.append((lines, now))
        time.sleep(0.06)
        return self.tmux("capture-pane", "-p", "-t", "it")

    def wait(self, text):
        end = time.monotonic() + PATIENCE
        while text not in self.look():
            if time.monotonic() > end:
                raise SystemExit(f"{text!r} was not shown:\n{self.look()}")

    def keys(self, text):
        for letter in text:
            self.tmux("send-keys", "-t", "it", "-l", letter)
            self.look()
        self.look()

    def enter(self):
        self.tmux("send-keys", "-t", "it", "Enter")
        self.look()

    def stay(self, seconds):
        """What is seen now is worth a longer look."""
        self.look()
        self.frames[-1] = (self.frames[-1][0], self.frames[-1][1], seconds)


def main(lang, output):
    said = story.SAID[lang]
    house = pathlib.Path(tempfile.mkdtemp(prefix="enza-recording-"))
    name = f"enza-recording-{os.getpid()}"
    try:
        project = house / "greetings"
        project.mkdir()
        for file, text in story.FILES.items():
            (project / file).write_text(text)
        stage = Stage(story.replies(lang))
        providers = house / "config" / "providers"
        providers.mkdir(parents=True)
        (providers / "demo.toml").write_text(
            f'name = "demo"\ntitle = "Demo"\ndialect = "openai"\nbase_url = "{stage.address}"\nneeds_key = false\n'
            'hint = "Played by docs/recording/stage.py."\n'
        )
        (house / "config" / "companion.toml").write_text(
            'checks = [{ name = "tests", command = ["python3", "-m", "unittest"] }]\n'
        )
        environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(house), "TERM": "tmux-256color", "ENZA_DATA": str(house / "data"),
            "ENZA_CONFIG": str(house / "config"), "ENZA_MODEL": "demo/model",
            "LANG": {"en": "en_US.UTF-8", "ja": "ja_JP.UTF-8"}[lang], "LC_CTYPE": "C.UTF-8",
        }
        enza = ROOT / "target" / "debug" / "enza"
        # The folder's own name is shown, not where it happens to be.
        recording = Recording(name, [str(enza), "companion"], str(project), environment)
        recording.wait("\n>")
        recording.stay(1.2)
        recording.keys(said["request"])
        recording.stay(0.8)
        recording.enter()
        recording.wait(said["gate"])
        recording.stay(6)
        still = len(recording.frames) - 1
        recording.keys("y")
        recording.stay(0.6)
        recording.enter()
        recording.wait("/accept")
        recording.stay(3)
        recording.keys("/accept")
        recording.enter()
        recording.wait(said["accepted"])
        recording.stay(4)
        frames = [([line.replace(str(house), "~") for line in frame[0]], *frame[1:]) for frame in recording.frames]
        drawing.write(pathlib.Path(output), frames, still, COLUMNS, ROWS)
    finally:
        subprocess.run(["tmux", "-L", name, "kill-server"], capture_output=True, check=False)
        shutil.rmtree(house, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in story.SAID:
        raise SystemExit(__doc__)
    main(sys.argv[1], sys.argv[2])
