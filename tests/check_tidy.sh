#!/usr/bin/env bash
# Whether clang-tidy finds nothing in what the programs are made of, by the checks of .clang-tidy. Half an hour on two cores,
# with the files of a room several at a time, as in a build from nothing.
#   tests/check_tidy.sh [PATTERN]      only units of paths that match, such as core/oci
#   tests/check_tidy.sh --part N/OF    only every OF-th, from the N-th on (0 is the first)
# Version 14 cannot read LibTorch's ivalue_inl.h, nor an optional of a class within the class: what needs them is left out.
set -euo pipefail
cd "$(dirname "$0")/.."
pattern=.
part=0/1
if [ "${1:-}" = --part ]; then part=$2; elif [ $# -gt 0 ]; then pattern=$1; fi
mkdir -p build
cmake --preset dev -B build/tidy -DLOCKSTEP_UNITS=ON -DLOCKSTEP_BUILD_TESTS=OFF >build/tidy.log 2>&1 \
  || { tail -20 build/tidy.log >&2; exit 1; }
sed -n 's/^  "file": "\(.*\)".*/\1/p' build/tidy/compile_commands.json | sort -u | grep -E "/units/|^$PWD/(core|app|widgets|trainer)/" \
  | grep -vE 'node_agent.cpp|ddp[_/]replica|trainer[_/](models|checkpoint)[_/]' | grep -E -- "$pattern" \
  | awk -v n="${part%/*}" -v of="${part#*/}" '(NR - 1) % of == n' | xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet --header-filter='/(core|app|widgets|trainer)/'
