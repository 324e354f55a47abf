#!/usr/bin/env bash
# Runs fuzzers, some side by side, from their kept inputs, and tells how many inputs a second each tried. What ends one is
# kept and its name printed; then this ends with 1.
#   tests/fuzz/run.sh SECONDS [TARGET…]        of each; without a target, all of the table in CMakeLists.txt
# LOCKSTEP_FUZZERS: the folder of the programs (build/fuzz/tests). LOCKSTEP_FOUND: where new inputs and findings go
# (build/fuzz/found). LOCKSTEP_FUZZ_JOBS: how many side by side (as many as there are processors). LOCKSTEP_FUZZ_SEED: from
# which number inputs are drawn (another one each time).
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { sed -n '2,8s/^# \?//p' "$0" >&2; exit 2; }
shift
programs=${LOCKSTEP_FUZZERS:-build/fuzz/tests}
found=${LOCKSTEP_FOUND:-build/fuzz/found}
jobs=${LOCKSTEP_FUZZ_JOBS:-$(nproc)}
seed=${LOCKSTEP_FUZZ_SEED:-0} # 0: libFuzzer draws one itself
[[ $jobs =~ ^[1-9][0-9]*$ ]] || { echo "error: LOCKSTEP_FUZZ_JOBS is '$jobs', not a number of programs" >&2; exit 2; }
[[ $seed =~ ^[0-9]+$ ]] || { echo "error: LOCKSTEP_FUZZ_SEED is '$seed', not a number" >&2; exit 2; }
if [ $# -eq 0 ]; then
  for program in "$programs"/*_fuzzer; do
    [ -x "$program" ] || { echo "error: no fuzzer in $programs: cmake --preset fuzz && cmake --build --preset fuzz" >&2; exit 2; }
    name=$(basename "$program")
    set -- "$@" "${name%_fuzzer}"
  done
fi

# fuzz TARGET: its last words go to a file of its own, so that several do not talk over each other. An input has 30 s, which
# none needs, since the processors may be shared with more than the other fuzzers.
fuzz() {
  local target=$1 inputs=$found/$1/inputs log=$found/$1/log dictionary=() status=0
  mkdir -p "$inputs"
  case $target in reader | editor) dictionary=(-dict=tests/fuzz/yaml.dict) ;; esac
  "$programs/${target}_fuzzer" -max_total_time="$seconds" -seed="$seed" -max_len=4096 -timeout=30 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$found/$target/" "${dictionary[@]}" "$inputs" "tests/data/fuzz/$target" >"$log" 2>&1 || status=$?
  if [ "$status" -eq 0 ]; then
    printf '%-12s %8s inputs/s, %s tried\n' "$target" "$(stat_of average_exec_per_sec "$log")" "$(stat_of number_of_executed_units "$log")"
    return 0
  fi
  printf '%-12s ENDED: %s\n' "$target" "$(grep -m 1 -E 'broken promise|ERROR: |runtime error' "$log" || tail -n 1 "$log")"
  grep -E 'artifact_prefix|Test unit written' "$log" || true
  echo "  all it said: $log"
  return 1
}
stat_of() { sed -n "s/^stat::$1: *//p" "$2"; }

failed=0 running=0
for target in "$@"; do
  [ -x "$programs/${target}_fuzzer" ] || { echo "error: there is no $programs/${target}_fuzzer" >&2; exit 2; }
done
for target in "$@"; do
  if [ "$running" -ge "$jobs" ]; then
    wait -n || failed=1
    running=$((running - 1))
  fi
  [ "$failed" -eq 0 ] || break
  fuzz "$target" &
  running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
  wait -n || failed=1
  running=$((running - 1))
done
exit "$failed"
