#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads every script of the repository without running it: shell with shellcheck, which may find nothing at all, Perl with
perl -c, and Python by its own parser. A script is known by its ending, or by its first line where it has none. Scripts
below tests/data are what exports have written: the tests of the exports read those.

    tests/architecture/scripts_lint.py           all of them
    tests/architecture/scripts_lint.py FILE…     only these"""
import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = {".git", "build", "node_modules", "shared", "tests/data"}
KINDS = {".sh": "shell", ".sbatch": "bash", ".py": "python", ".pl": "perl"}
SHELL_LINE = re.compile(rb"#! *(/usr)?/bin/(env +)?(ba|da)?sh\b")
PYTHON_LINE = re.compile(rb"#! *(/usr)?/bin/(env +)?python3\b")
FEWEST = {"shell": 30, "bash": 1, "python": 10, "perl": 2}  # far fewer: the search is at fault, not the tree


def kind_of(path):
    if path.suffix:
        return KINDS.get(path.suffix)
    with path.open("rb") as file:
        first = file.readline(80)
    return "shell" if SHELL_LINE.match(first) else "python" if PYTHON_LINE.match(first) else None


def files():
    for at, folders, names in os.walk(ROOT):
        here = pathlib.Path(at)
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT and not name.startswith("build-")
                            and str((here / name).relative_to(ROOT)) not in LEFT_OUT)
        yield from (here / name for name in sorted(names) if (here / name).is_file())


def scripts(paths):
    found = {kind: [] for kind in FEWEST}
    for path in paths:
        if kind := kind_of(path):
            found[kind].append(path)
    return found


def complaint_of(command):
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return [done.stdout or f"{command[0]} ended with {done.returncode}"] if done.returncode else []


def check_shell(found):
    # What a script reads with '.' lies beside it.
    lint = ["shellcheck", "--external-sources", "--source-path=SCRIPTDIR"]
    complaints = complaint_of([*lint, *found["shell"]]) if found["shell"] else []
    if found["bash"]:  # begins with what the export writes, so that no first line names the shell
        complaints += complaint_of([*lint, "--shell=bash", *found["bash"]])
    return complaints


def check_python(path):
    try:
        ast.parse(path.read_bytes(), os.path.relpath(path, ROOT))
    except (SyntaxError, ValueError) as error:
        return [f"{os.path.relpath(path, ROOT)}: {error}"]
    return []


def main(named):
    for program in ("shellcheck", "perl"):
        if not shutil.which(program):
            sys.exit(f"error: {program} is not installed; ./test.sh installs what packaging/dependencies.txt lists")
    found = scripts([pathlib.Path(name).resolve() for name in named] or files())
    complaints = check_shell(found)
    for path in found["perl"]:
        complaints += complaint_of(["perl", "-c", path])
    for path in found["python"]:
        complaints += check_python(path)
    if not named:
        complaints += [f"only {len(found[kind])} scripts of the kind '{kind}' were found, {least} or more are expected"
                       for kind, least in FEWEST.items() if len(found[kind]) < least]
    if complaints:
        sys.exit("\n".join(complaints))
    print(", ".join(f"{len(paths)} {kind}" for kind, paths in found.items()) + ": nothing found")


if __name__ == "__main__":
    main(sys.argv[1:])
