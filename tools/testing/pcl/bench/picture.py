# SPDX-License-Identifier: GPL-2.0
"""The picture of a run: bars of what PCL costs for each row, stock being 1; curves over the number of events."""

import math
import re
from xml.sax.saxutils import escape

WIDTH, NAMES, BAR, LONGEST = 1000, 330, 14, 2.5
PLOT_WIDTH, PLOT_HEIGHT, MARGIN = 300, 200, 45
STOCK, PCL = "#888888", "#1f6fb2"
CURVE = re.compile(r"(.*?)-?(?:each-of-)?(\d+)$")


def text(x, y, what, anchor="start", size=11, colour="#222222"):
    return '<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d" fill="%s">%s</text>' % (x, y, anchor, size, colour,
                                                                                         escape(what))


def line(x1, y1, x2, y2, colour="#cccccc"):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>' % (x1, y1, x2, y2, colour)


def bars(title, rows, top):
    """(SVG, height): a bar a row, those above stock in another colour."""
    room = WIDTH - NAMES - 70
    out, y = [text(10, top + 16, title, size=15)], top + 34
    for mark in (0.35, 0.5, 1.0, 2.0):
        x = NAMES + room * mark / LONGEST
        out += [line(x, y - 4, x, y + BAR * len(rows)), text(x, y - 6, "%g" % mark, "middle", 9)]
    for row in rows:
        ratio = row.ratio()
        out.append(text(NAMES - 6, y + BAR - 4, row.name, "end"))
        if ratio is not None:
            out.append('<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>' % (
                NAMES, y + 2, max(room * min(ratio, LONGEST) / LONGEST, 1), BAR - 4, PCL if ratio <= 1 else "#c0392b"))
        x = NAMES + room * min(ratio or 0, LONGEST) / LONGEST
        out.append(text(x + 4, y + BAR - 4, row.verdict(), size=10))
        y += BAR
    return out, y - top + 20


def curves(rows):
    """{what: [(number, row)]} of those rows that differ in the number at the end of their names."""
    found = {}
    for row in rows:
        match = CURVE.match(row.name)
        if match and not row.unused:
            found.setdefault(match.group(1), []).append((int(match.group(2)), row))
    return {name: sorted(points, key=lambda p: p[0]) for name, points in found.items() if len(points) > 2}


def plot(name, points, left, top):
    """One small diagram; both axes are logarithmic."""
    values = [max(figure, 1) for _, row in points for figure in (row.stock[row.stat], row.pcl[row.stat])]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)) + 0.01)
    first, last = math.log(max(points[0][0], 1)), math.log(points[-1][0])
    x0, y0 = left + MARGIN, top + PLOT_HEIGHT - 25

    def place(n, value):
        x = x0 + (PLOT_WIDTH - MARGIN - 15) * (math.log(n) - first) / (last - first)
        return x, y0 - (PLOT_HEIGHT - 50) * (math.log10(max(value, 1)) - low) / (high - low)

    out = [text(left + 10, top + 14, name, size=12), line(x0, y0, left + PLOT_WIDTH - 15, y0, "#444444")]
    for power in range(low, high + 1):
        y = place(points[0][0], 10 ** power)[1]
        out += [line(x0, y, left + PLOT_WIDTH - 15, y), text(x0 - 4, y + 3, "%d" % 10 ** power, "end", 9)]
    for n, _ in points:
        out.append(text(place(n, 1)[0], y0 + 12, str(n), "middle", 9))
    for colour, which in ((STOCK, "stock"), (PCL, "pcl")):
        at = [place(n, getattr(row, which)[row.stat]) for n, row in points]
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (
            " ".join("%.1f,%.1f" % p for p in at), colour))
    return out


def write(path, results):
    out, y = [], 10
    for configuration, rows in results.items():
        drawn, height = bars("PCL's cost where stock's is 1, %s configuration" % configuration, rows, y)
        out += drawn
        y += height
        out += [text(10, y + 16, "Kernel instructions over the number, %s configuration:" % configuration, size=15),
                text(540, y + 16, "stock", size=15, colour=STOCK), text(600, y + 16, "PCL", size=15, colour=PCL)]
        y += 30
        for i, (name, points) in enumerate(curves(rows).items()):
            out += plot(name, points, i % 3 * (PLOT_WIDTH + 20), y + i // 3 * PLOT_HEIGHT)
        y += (len(curves(rows)) + 2) // 3 * PLOT_HEIGHT + 20
    with open(path, "w") as f:
        f.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif">\n'
                '<rect width="100%%" height="100%%" fill="#ffffff"/>\n%s\n</svg>\n' % (WIDTH, y, "\n".join(out)))
