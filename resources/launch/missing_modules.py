# SPDX-License-Identifier: GPL-3.0-or-later
# SCRIPT [FOLDER[:FOLDER]]: prints each Python module that SCRIPT imports and this machine lacks, with the file that
# imports it.
# Follows the imports at the top of a script into its own files; what stands in a function or behind `try` may be meant
# to be missing. Nothing of the script is executed.
import ast, importlib.util, os, sys
script, own = sys.argv[1], [os.path.dirname(sys.argv[1])] + [f for f in sys.argv[2].split(":") if f]
sys.path = own + [f for f in sys.path if f]
seen, missing = set(), {}

def names(tree):
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module

def is_there(top):
    try:
        return importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return True

def look(file):
    if file in seen or len(seen) > 300:
        return
    seen.add(file)
    try:
        with open(file, "rb") as opened:
            tree = ast.parse(opened.read(1 << 20))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for name in names(tree):
        top = name.split(".")[0]
        whole = name.replace(".", "/")
        local = [os.path.join(f, p) for f in own for p in (whole + ".py", whole + "/__init__.py", top + "/__init__.py")]
        local = [f for f in local if os.path.isfile(f)]
        for f in local:
            look(f)
        if not local and top not in missing and not is_there(top):
            missing[top] = file

look(script)
for top, file in missing.items():
    print(top, os.path.basename(file))
