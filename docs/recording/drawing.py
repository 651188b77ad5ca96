"""Turns what was seen in a terminal into one animated SVG: text as text, CSS keyframes, no script.

A line that stays the same over several sights is written once, with the span for which it is seen. Whoever asked their
system for less motion sees one sight that stands still. The paper is light whatever page it is on.
"""

import html
import re
import unicodedata

CELL, LINE, SIDE, TOP = 8.4, 18, 16, 42
LONGEST = 0.7
INK = "#24292f"
COLOURS = {"31": "#b3261e", "32": "#1a7f37", "33": "#8a5a00"}


def write(path, frames, still, columns, rows):
    spans, total = timed(frames)
    frames = [(carried(frame[0]), *frame[1:]) for frame in frames]
    seen = {}
    for row in range(rows):
        for start, end, line, is_still in stretches(frames, spans, still, row):
            seen.setdefault((start, end, is_still), []).append((row, line))
    width, height = columns * CELL + 2 * SIDE, rows * LINE + TOP + SIDE
    rules, groups = [], []
    for number, ((start, end, is_still), lines) in enumerate(sorted(seen.items())):
        first, last = 100 * start / total, 100 * end / total
        frames_css = "".join(
            [f"0%{{opacity:{int(first == 0)}}}" , f"{first:.3f}%{{opacity:1}}" if first else "",
             f"{last:.3f}%{{opacity:0}}" if last < 100 else "", f"to{{opacity:{int(last >= 100)}}}"]
        )
        rules.append(f"@keyframes k{number}{{{frames_css}}}.k{number}{{animation-name:k{number}}}")
        inside = "".join(text(row, line) for row, line in lines)
        groups.append(f'<g class="f k{number}{" s" if is_still else ""}">{inside}</g>')
    style = (
        "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono CJK JP',monospace;"
        f"fill:{INK};white-space:pre}}.b{{font-weight:700}}.d{{opacity:.6}}"
        + "".join(f".c{code}{{fill:{colour}}}" for code, colour in COLOURS.items())
        + ".f{opacity:0}.s{opacity:1}@media (prefers-reduced-motion:no-preference){"
        f".f{{animation-duration:{total:.2f}s;animation-timing-function:step-end;animation-iteration-count:infinite}}"
        + "".join(rules) + "}"
    )
    dots = "".join(f'<circle cx="{SIDE + 6 + 18 * place}" cy="20" r="5" fill="#d0d7de"/>' for place in range(3))
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        'aria-label="enza companion: a request, the gate with a diff, yes, tests, done">'
        f"<style>{style}</style>"
        f'<rect x=".5" y=".5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="8" fill="#fdfdfc" stroke="#d0d7de"/>'
        f"{dots}{''.join(groups)}</svg>\n",
        encoding="utf-8",
    )


def carried(lines):
    """Each line with the look that the one before it left behind: a terminal does not reset it at the end of a line."""
    out, look = [], []
    for line in lines:
        out.append("".join(f"\x1b[{code}m" for code in look) + line)
        for codes in re.findall(r"\x1b\[([0-9;]*)m", line):
            for code in (codes or "0").split(";"):
                look = [] if code == "0" else look + [code]
    return out


def timed(frames):
    """For each sight, from when to when it is seen; long waits are shortened unless a longer look was asked for."""
    spans, now = [], 0.0
    for place, frame in enumerate(frames):
        until = frames[place + 1][1] if place + 1 < len(frames) else frame[1]
        lasts = frame[2] if len(frame) > 2 else min(max(until - frame[1], 0.04), LONGEST)
        spans.append((now, now + lasts))
        now += lasts
    return spans, now


def stretches(frames, spans, still, row):
    """The lines of one row, each with its span and whether it belongs to the sight that stands still."""
    found = []
    for place, frame in enumerate(frames):
        line = frame[0][row] if row < len(frame[0]) else ""
        start, end = spans[place]
        if found and found[-1][2] == line:
            found[-1][1], found[-1][3] = end, found[-1][3] or place == still
        else:
            found.append([start, end, line, place == still])
    return [stretch for stretch in found if re.sub(r"\x1b\[[0-9;]*m", "", stretch[2]).strip()]


def text(row, line):
    """One line: a text element for each run of one look, placed by its column so that no font can shift it."""
    out, column, look = [], 0, set()
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        codes = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if codes:
            for code in (codes[1] or "0").split(";"):
                look = changed(look, code)
            continue
        for run in re.findall(r"[\x00-\x7f]+|[^\x00-\x7f]+", part):
            wide = sum(cells(letter) for letter in run)
            if run.strip():
                lead = len(run) - len(run.lstrip(" "))
                bare = run.strip(" ")
                at = SIDE + (column + lead) * CELL
                length = sum(cells(letter) for letter in bare) * CELL
                kind = f' class="{" ".join(sorted(look))}"' if look else ""
                out.append(
                    f'<text x="{at:.1f}" y="{TOP + row * LINE + 12}" textLength="{length:.1f}" '
                    f'lengthAdjust="spacingAndGlyphs"{kind}>{html.escape(bare)}</text>'
                )
            column += wide
    return "".join(out)


def changed(look, code):
    if code == "0":
        return set()
    if code in ("1", "2"):
        return look | {"b" if code == "1" else "d"}
    if code in COLOURS:
        return {one for one in look if not one.startswith("c")} | {f"c{code}"}
    if code == "39":
        return {one for one in look if not one.startswith("c")}
    if code == "22":
        return look - {"b", "d"}
    return look


def cells(letter):
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
