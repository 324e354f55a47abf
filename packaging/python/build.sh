#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh [FOLDER]: builds the wheel of lockstep-metrics into FOLDER (default: dist). Needs python3 with setuptools, and
# no network. PYTHON names another interpreter.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}
mkdir -p "${1:-dist}"
out=$(cd "${1:-dist}" && pwd)

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
cp "$here/pyproject.toml" "$here/../../resources/python/lockstep.py" "$temporary/"
cd "$temporary"

if "$python" -m pip --version >/dev/null 2>&1; then
  "$python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps --no-index --wheel-dir "$out" .
else
  "$python" -c 'import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])' "$out" >/dev/null
fi
for wheel in "$out"/lockstep_metrics-*.whl; do
  [ -f "$wheel" ] || { echo "error: no wheel was built" >&2; exit 1; }
  echo "$wheel"
done
