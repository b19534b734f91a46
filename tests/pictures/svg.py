# SPDX-License-Identifier: MPL-2.0
"""Draws what a terminal shows, as tmux capture-pane -e -p prints it, as an SVG.

usage: svg.py COLUMNS ROWS <CAPTURE >SVG

Each run of cells with the same look is one text with the width of its cells, so that columns stay
columns whatever font the reader has. Colours are the terminal's sixteen, of the 256 and of 24 bits.
"""

import re
import sys
import unicodedata
from xml.sax.saxutils import escape

CELL, LINE, SIZE, MARGIN = 8.4, 18, 14, 12
GROUND, INK = "#16181d", "#d6dae2"
BASIC = ("#3b4048", "#f07178", "#a5d076", "#e6c06b", "#7aa8f0", "#c792ea", "#6bcbd3", "#d6dae2",
         "#7d8590", "#ff8b92", "#bfe58f", "#ffd98a", "#9dc3ff", "#dcb0ff", "#8fe3ea", "#ffffff")
# What tmux prints of the line drawing set, between SO and SI.
DRAWING = dict(zip("jklmnqtuvwx~a", "┘┐┌└┼─├┤┴┬│·▒"))


def colour(number):
    if number < 16:
        return BASIC[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    number -= 16
    steps = (0, 95, 135, 175, 215, 255)
    return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6], steps[number % 6])


class Look:
    def __init__(self):
        self.clear()

    def clear(self):
        self.ink = self.ground = None
        self.flags = set()

    def extended(self, codes):
        if codes.pop(0) == 5:
            return colour(codes.pop(0))
        return "#%02x%02x%02x" % tuple(codes.pop(0) for _ in range(3))

    def apply(self, codes):
        flags = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse"}
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.clear()
            elif code in flags:
                self.flags.add(flags[code])
            elif code == 22:
                self.flags -= {"bold", "dim"}
            elif code - 20 in flags:
                self.flags.discard(flags[code - 20])
            elif code in (38, 48):
                setattr(self, "ink" if code == 38 else "ground", self.extended(codes))
            elif code in (39, 49):
                setattr(self, "ink" if code == 39 else "ground", None)
            elif code // 10 in (3, 9):
                self.ink = colour(code % 10 + (8 if code >= 90 else 0))
            elif code // 10 in (4, 10):
                self.ground = colour(code % 10 + (8 if code >= 100 else 0))

    def seen(self):
        ink, ground = self.ink or INK, self.ground
        if "reverse" in self.flags:
            ink, ground = ground or GROUND, ink
        return ink, ground, tuple(sorted(self.flags - {"reverse"}))


def width(char):
    if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cells(line, look):
    """The line's characters, each with what goes before it and its look."""
    drawing = False
    for codes, char in re.findall(r"\033\[([0-9;:]*)m|([^\033])", line):
        if char == "\x0e" or char == "\x0f":
            drawing = char == "\x0e"
        elif char:
            yield (DRAWING.get(char, char) if drawing else char), look.seen()
        else:
            look.apply([int(c or 0) for c in codes.replace(":", ";").split(";")])


def runs(line, look):
    """(column, cells, text, look) of what looks the same; a wide character is one of its own."""
    column, run = 0, None
    for char, seen in cells(line, look):
        wide = width(char)
        if wide == 0 and run:
            run[2] += char
            continue
        if not run or run[3] != seen or wide == 2 or run[1] == 2 * len(run[2]):
            if run:
                yield run
            run = [column, 0, "", seen]
        run[1] += wide
        run[2] += char
        column += wide
    if run:
        yield run


def draw(row, run):
    column, count, text, (ink, ground, flags) = run
    x, y = MARGIN + column * CELL, MARGIN + row * LINE
    if ground:
        print(f'<rect x="{x:.1f}" y="{y}" width="{count * CELL:.1f}" height="{LINE}" fill="{ground}"/>')
    if not text.strip():
        return
    style = "".join({"bold": ' font-weight="bold"', "dim": ' opacity=".65"',
                     "italic": ' font-style="italic"',
                     "underline": ' text-decoration="underline"'}[f] for f in flags)
    style += "" if ink == INK else f' fill="{ink}"'
    # Several spaces would be drawn as one: what is between them has a place of its own.
    for word in re.finditer(r"[^ ]+(?: [^ ]+)*", text):
        before, length = (sum(map(width, t)) * CELL for t in (text[:word.start()], word[0]))
        print(f'<text x="{x + before:.1f}" y="{y + LINE - 5}" textLength="{length:.1f}"{style}>'
              f'{escape(word[0])}</text>')


def main():
    columns, rows = int(sys.argv[1]), int(sys.argv[2])
    w, h = columns * CELL + 2 * MARGIN, rows * LINE + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:.0f} {h}" width="{w:.0f}" '
          f'height="{h}" font-family="ui-monospace,\'DejaVu Sans Mono\',Menlo,Consolas,monospace" '
          f'font-size="{SIZE}" fill="{INK}">')
    print(f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>')
    look = Look()
    for row, line in enumerate(sys.stdin.read().split("\n")[:rows]):
        for run in runs(line, look):
            draw(row, run)
    print("</svg>")


main()
