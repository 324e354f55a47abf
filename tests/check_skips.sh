#!/usr/bin/env bash
# Lists what the last run of ctest in a build folder left out, each test with its reason, and fails when one of them is
# not in expected_skips.txt: a test that quietly stopped running passes for ever.
#   tests/check_skips.sh build/werror
# LOCKSTEP_SKIPS_OPTIONAL=1 only lists, for machines that cannot install or may not do what tests need.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 BUILD-FOLDER" >&2; exit 2; }
list=$(dirname "$0")/expected_skips.txt
preset=$(basename "$1")
log=$1/Testing/Temporary/LastTest.log
[ -f "$log" ] || { echo "error: $log is missing: no test was run" >&2; exit 1; }
if [ "$(id -u)" -eq 0 ]; then who=root; else who=user; fi

# One line for each: its name, a tab, its reason.
skipped() {
  LC_ALL=C awk '
    function tell(name, reason) { if (!(name in told)) { told[name] = 1; print name "\t" reason } }
    /^[0-9]+\/[0-9]+ Test: / { test = $3; reading = 0; reason = "" }
    /: Skipped$/ { reading = 1; reason = ""; next }
    /^\[  SKIPPED \] .*\./ {
      match($0, /[A-Za-z0-9_\/]+\.[A-Za-z0-9_\/]+/)
      tell(substr($0, RSTART, RLENGTH), reason)
      reading = 0
    }
    /^\[/ { reading = 0 }
    reading && NF { reason = reason (reason == "" ? "" : " ") $0 }
    /^SKIP   : / {
      match($0, /^SKIP   : [^(]*\([^)]*\) */)
      name = substr($0, 10, RLENGTH - 9)
      sub(/ +$/, "", name)
      tell(name, substr($0, RLENGTH + 1))
    }
    /^SKIPPED: / { tell(test, substr($0, 10)) }
  ' "$log"
}

isExpected() {
  local name=$1 when pattern rest
  while read -r when pattern rest; do
    case "$when" in '' | '#'*) continue ;; esac
    [[ $when == any || $when == "$who" || $when == "$preset" ]] || continue
    # shellcheck disable=SC2053  # the right-hand side is a pattern
    [[ $name == $pattern ]] && return 0
  done <"$list"
  return 1
}

count=0 unexpected=0
while IFS=$'\t' read -r name reason; do
  [ -n "$name" ] || continue
  if isExpected "$name"; then mark='      '; else mark='NOT EXPECTED '; unexpected=$((unexpected + 1)); fi
  count=$((count + 1))
  printf '%s%s: %s\n' "$mark" "$name" "$reason"
done < <(skipped)
echo "$count tests were skipped, $unexpected of them not in $list"
if [ "$unexpected" -gt 0 ] && [ -z "${LOCKSTEP_SKIPS_OPTIONAL:-}" ]; then
  echo "error: install what they need (packaging/dependencies.txt), or add them to that list with the reason" >&2
  exit 1
fi
