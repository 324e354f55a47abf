#!/usr/bin/env bash
# Whether every source is laid out as .clang-format says; names each place that is not.
#   tests/check_format.sh          says what differs, ends with 1 then
#   tests/check_format.sh --fix    lays them out
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  --fix) how=(-i) ;;
  '') how=(--dry-run -Werror) ;;
  *) sed -n '2,4s/^# \?//p' "$0" >&2; exit 2 ;;
esac
git ls-files -z '*.cpp' '*.h' | xargs -0 -P "$(nproc)" -n 64 clang-format "${how[@]}"
