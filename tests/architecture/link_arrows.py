#!/usr/bin/env python3
"""Whether each room defines what it declares: what a library uses of another is used through a LINK of its CMakeLists.txt.

A program links every room, so that a function which one room declares and another defines is found all the same; only
who links the first room alone, a fuzzer or a test, meets the hole.

And whether two rooms give one name to two functions. Where one of them is inline no linker says so, and a program calls
whichever came first; builds that inline little, those of the sanitizers, see most of them.
  link_arrows.py BUILD_FOLDER    names each symbol that is found by chance or twice, ends with 1 then
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIX = {
    "lockstep_add_room": "lockstep_",
    "lockstep_add_trainer_room": "lockstep_",
    "lockstep_add_desktop_room": "lockstep_",
    "lockstep_add_rehearsal_room": "lockstep_rehearsal_",
    "lockstep_add_widgets": "lockstep_widgets_",
}
CALL = re.compile(r"^ *(" + "|".join(PREFIX) + r"|target_link_libraries)\(\s*(\w+)([^)]*)\)", re.M)


def links():
    """Target -> the targets of ours that it names."""
    found = collections.defaultdict(set)
    for folder in ("core", "app", "trainer", "widgets"):
        for file in (ROOT / folder).rglob("CMakeLists.txt"):
            text = re.sub(r"#.*", "", file.read_text())
            for command, name, rest in CALL.findall(text):
                target = PREFIX.get(command, "") + name
                found[target].update(re.findall(r"\block\w+", rest))
                if command in PREFIX:
                    found[target].add("lockstep_base")
    return found


def reachable(target, found):
    seen, todo = set(), [target]
    while todo:
        for other in found[todo.pop()]:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def symbols(archive):
    """(defined, weak, undefined); weak ones, such as those of templates and inline functions, are everywhere, and what
    Qt's tools write for a resource stands where the program is put together."""
    lines = subprocess.run(["nm", "--format=posix", archive], capture_output=True, text=True, check=True).stdout
    pairs = [line.split(" ")[:2] for line in lines.splitlines() if " " in line]
    pairs = [(n, kind) for n, kind in pairs if "qInitResources" not in n]
    return tuple({n for n, kind in pairs if kind in kinds} for kinds in ("TDBR", "WV", "U"))


def spoken(symbol):
    return subprocess.run(["c++filt", symbol], capture_output=True, text=True, check=True).stdout.strip()


def namesakes(read):
    """What two rooms define, at least one of them not inline."""
    defined = [(symbol, name) for name, (own, _, _) in read.items() for symbol in own]
    weak = collections.defaultdict(set)
    for name, (_, own, _) in read.items():
        for symbol in own:
            weak[symbol].add(name)
    homes = collections.defaultdict(set)
    for symbol, name in defined:
        homes[symbol] |= {name} | weak[symbol]
    return sorted((spoken(symbol), sorted(names)) for symbol, names in homes.items() if len(names) > 1)


def main():
    archives = {path.stem[3:]: path for path in pathlib.Path(sys.argv[1]).rglob("liblockstep_*.a")}
    if len(archives) < 20:
        sys.exit(f"error: {len(archives)} libraries of rooms below {sys.argv[1]}: build all of it first")
    read = {name: symbols(path) for name, path in archives.items()}
    home = {symbol: name for name, (defined, _, _) in read.items() for symbol in defined}
    found = links()
    holes = sorted((name, home[s], s) for name, (defined, _, used) in read.items() if name in found
                   for s in used - defined if s in home and home[s] not in reachable(name, found))
    for name, other, symbol in holes:
        print(f"{name} uses {spoken(symbol)}, which {other} defines; it links no such room")
    twins = namesakes({name: all_of for name, all_of in read.items() if name in found})  # tests share sources
    for said, names in twins:
        print(f"{said} is defined by each of {', '.join(names)}; give one of them another name")
    sys.exit(1 if holes or twins else 0)


main()
