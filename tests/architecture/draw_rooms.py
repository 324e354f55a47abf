#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws docs/rooms.svg: every room, and who uses whom by CMake's links and by includes. An arrow that follows from
others (a uses b, b uses c) is left out. Places are chosen by hand, in LAYOUT; lines find their own way around boxes.

    tests/architecture/draw_rooms.py            writes docs/rooms.svg
    tests/architecture/draw_rooms.py --check    fails when it is not up to date"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs/rooms.svg"
# Rows from top to bottom, every arrow leads down; columns from the left.
LAYOUT = [
    {"app/desktop": 4.4, "app/cli": 6.8, "app/rehearsal": 11.2},
    {"widgets/comparison": 3.3},
    {"widgets/runs": 2.4, "widgets/activity": 4.4, "widgets/setup": 6.2},
    {"widgets/diagnosis": 0.8},
    {"widgets/metrics": 1.4, "widgets/cluster": 5.2},
    {"widgets/health": 0.4, "widgets/logs": 2.4, "core/comparison": 5.9, "core/report": 4.4, "core/telling": 3.3, "trainer/ddp": 9.0},
    {"widgets/common": 4.0, "core/history": 5.6, "trainer/node": 7.6, "trainer/models": 10.0, "trainer/checkpoint": 8.8},
    {"core/diagnosis": 1.9, "core/launch": 3.2, "core/setup": 6.0, "trainer/usage": 7.7, "trainer/data": 9.5, "trainer/optim": 10.5},
    {"core/timeline": 0.9, "core/portable": 4.2},
    {"core/health": 0.4, "core/metrics": 1.5, "core/logs": 2.6, "core/reach": 3.8, "core/runs": 4.85, "core/export": 5.9,
     "core/policy": 7.3, "trainer/tokens": 9.5},
    {"core/pattern": 1.6, "core/oci": 2.9, "core/plan": 5.3, "core/starter": 6.6},
    {"core/workdir": 1.6, "core/http": 2.9, "core/cluster": 5.3, "core/yaml": 7.7},
    {"core/base": 5.8},
]
ADD_ROOM = {"lockstep_add_room": "lockstep_", "lockstep_add_widgets": "lockstep_widgets_",
            "lockstep_add_trainer_room": "lockstep_", "lockstep_add_desktop_room": "lockstep_",
            "lockstep_add_rehearsal_room": "lockstep_rehearsal_"}  # function of CMake -> what its targets begin with
AREAS = ("app", "widgets", "trainer", "core")
PITCH, ROW, WIDTH, HEIGHT, TOP, LEFT = 104, 80, 90, 40, 16, 74


def rooms():
    return {f"{area}/{path.name}" for area in AREAS for path in (ROOT / area).iterdir() if path.is_dir()}


def links():
    """Pairs of rooms by add_library, target_link_libraries and the like of every CMakeLists.txt."""
    owner, uses = {}, []
    for area in AREAS:
        for file in sorted((ROOT / area).rglob("CMakeLists.txt")):
            room = "/".join(file.parent.relative_to(ROOT).parts[:2])  # rooms within rooms are drawn as one
            text = re.sub(r"#.*", "", file.read_text())
            for name, words in re.findall(r"\b(\w+)\(([^()]*)\)", text):
                words = words.split()
                if name in ADD_ROOM:
                    target = ADD_ROOM[name] + words[0]
                    owner[target] = room
                    uses.append((target, words[words.index("LINK"):] if "LINK" in words else []))
                elif name in ("add_library", "add_executable"):
                    owner[words[0]] = room
                elif name == "target_link_libraries":
                    uses.append((words[0], words[1:]))
    joined = {target: words for target, words in uses if owner.get(target) == "core"}  # lockstep_core is all of them
    for target, words in uses:
        for word in words:
            for used in joined.get(word, [word]):
                yield owner.get(target), owner.get(used)


def includes(all_rooms):
    folders = {room if not room.startswith("core/") else room[5:]: room for room in all_rooms}
    folders["rehearsal"] = "app/rehearsal"
    for room in all_rooms:
        for file in (ROOT / room).rglob("*"):
            if file.suffix in (".h", ".cpp"):
                for name in re.findall(r'^\s*#\s*include\s*"([^"]+)/[^/"]+"', file.read_text(), re.M):
                    found = [folders[folder] for folder in folders if (name + "/").startswith(folder + "/")]
                    if not (ROOT / room / name).exists():  # a folder of this room
                        yield from ((room, other) for other in found)


def arrows(all_rooms):
    pairs = {(a, b) for a, b in [*links(), *includes(all_rooms)] if a != b and {a, b} <= all_rooms}
    row = {room: number for number, rooms_of_row in enumerate(LAYOUT) for room in rooms_of_row}
    for a, b in sorted(pairs):
        if row[a] >= row[b]:
            sys.exit(f"error: {a} uses {b}, but does not stand above it in LAYOUT of {sys.argv[0]}")
    below = {}
    for room in sorted(all_rooms, key=lambda room: -row[room]):
        direct = {b for a, b in pairs if a == room}
        below[room] = direct.union(*(below[other] for other in direct))
    return [(a, b) for a, b in sorted(pairs) if not any((a, c) in pairs and b in below[c] for c in all_rooms)]


def half(room):
    return (11.2 * PITCH + WIDTH) / 2 if room == "core/base" else WIDTH / 2


def way(start, end, taken):
    """Points of the line, at the edges of each row: straight down where there is a gap, else through the next one. An
    end without a column takes that of the last point."""
    (x1, row1), (x2, row2) = start, end
    points = [(x1, TOP + row1 * ROW + HEIGHT)]
    for row in range(row1 + 1, row2):
        walls = [(LEFT + column * PITCH - half(room) - 7, LEFT + column * PITCH + half(room) + 7)
                 for room, column in LAYOUT[row].items()]
        last = points[-1][0]
        wish = last if x2 is None else last + (x2 - last) / (row2 - row + 1)
        wish = last if abs(wish - last) < 40 else wish
        free = [x for x in range(8, int(LEFT * 2 + 11.2 * PITCH), 5)
                if not any(a < x < b for a, b in walls) and all(abs(x - other) > 4 for other in taken[row])]
        x = min(free, key=lambda x: abs(x - wish))
        taken[row].append(x)
        points += [(x, TOP + row * ROW), (x, TOP + row * ROW + HEIGHT)]
    return points + [(points[-1][0] if x2 is None else x2, TOP + row2 * ROW - 5)]


def curve(points):
    path = f"M{points[0][0]:.0f} {points[0][1]}"
    for (xa, ya), (xb, yb) in zip(points, points[1:]):
        middle = (ya + yb) / 2
        path += f"C{xa:.0f} {middle:.0f} {xb:.0f} {middle:.0f} {xb:.0f} {yb}" if xa != xb else f"V{yb}"
    return path


def picture():
    all_rooms = rooms()
    place = {room: (LEFT + column * PITCH, row) for row, of_row in enumerate(LAYOUT) for room, column in of_row.items()}
    if set(place) != all_rooms:
        sys.exit(f"error: LAYOUT of {sys.argv[0]} has other rooms than the tree: {sorted(set(place) ^ all_rooms)}")
    taken = [[] for _ in LAYOUT]
    drawn = arrows(all_rooms)
    ends = {}
    for a, b in drawn:  # side by side along the edges of a box, in the order of where they come from
        ends.setdefault((a, "from"), []).append((place[b][0], (a, b)))
        ends.setdefault((b, "to"), []).append((place[a][0], (a, b)))
    offset = {}
    for (room, side), others in ends.items():
        for number, (x, pair) in enumerate(sorted(others)):
            span = min(half(room) * 1.5, 14 * (len(others) - 1))
            offset[pair, side] = span * (number / (len(others) - 1) - 0.5) if len(others) > 1 else 0
    lines = []
    for a, b in sorted(drawn, key=lambda pair: place[pair[1]][1] - place[pair[0]][1]):
        x1 = place[a][0] + offset[(a, b), "from"]
        x2 = None if b == "core/base" else place[b][0] + offset[(a, b), "to"]
        path = curve(way((x1, place[a][1]), (x2, place[b][1]), taken))
        lines.append(f'<path class="{a.split("/")[0]}" d="{path}" marker-end="url(#tip)"><title>{a} uses {b}</title></path>')
    boxes = []
    for room, (x, row) in place.items():
        area, name = room.split("/")
        boxes.append(f'<g class="{area}"><rect x="{x - half(room):.0f}" y="{TOP + row * ROW}" width="{2 * half(room):.0f}" '
                     f'height="{HEIGHT}" rx="5"/><text class="area" x="{x:.0f}" y="{TOP + row * ROW + 14}">{area}/</text>'
                     f'<text x="{x:.0f}" y="{TOP + row * ROW + 31}">{name}</text></g>')
    width, height = int(LEFT * 2 + 11.2 * PITCH), TOP + len(LAYOUT) * ROW - 24
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">',
        "<title id=\"title\">The rooms of Lockstep and who uses whom; what follows from other arrows is left out</title>",
        STYLE,
        '<marker id="tip" viewBox="0 0 8 8" refX="3" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
        '<path class="tip" d="M0 0 8 4 0 8z"/></marker>',
        f'<rect class="page" width="{width}" height="{height}"/>',
        *lines, *boxes, "</svg>", ""])


STYLE = """<style>
svg { --page: #ffffff; --ink: #1c2330; --app: #5b6472; --widgets: #2f6fb3; --trainer: #a45a12; --core: #3f7d4e; }
@media (prefers-color-scheme: dark) {
  svg { --page: #14181f; --ink: #e6e9ee; --app: #a3adbb; --widgets: #78b0ea; --trainer: #e2a15f; --core: #84c596; }
}
.page { fill: #ffffff; fill: var(--page); }
text { font: 15px "DejaVu Sans", Helvetica, Arial, sans-serif; text-anchor: middle; fill: #1c2330; fill: var(--ink); }
text.area { font-size: 11px; }
rect { fill: #ffffff; fill: var(--page); stroke-width: 1.8; }
path { fill: none; stroke-width: 1.3; opacity: 0.75; }
.tip { fill: #7a8494; opacity: 1; }
.app rect, path.app { stroke: #5b6472; stroke: var(--app); }
.widgets rect, path.widgets { stroke: #2f6fb3; stroke: var(--widgets); }
.trainer rect, path.trainer { stroke: #a45a12; stroke: var(--trainer); }
.core rect, path.core { stroke: #3f7d4e; stroke: var(--core); }
</style>"""

if __name__ == "__main__":
    fresh = picture()
    if sys.argv[1:] == ["--check"]:
        if not PICTURE.exists() or PICTURE.read_text() != fresh:
            sys.exit(f"error: {PICTURE} is not what the tree is now: run {sys.argv[0]}")
    else:
        PICTURE.write_text(fresh)
