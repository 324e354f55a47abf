#!/usr/bin/env bash
# Start-up and size of the desktop, and the time of a plan: n runs, median and range of each.
#   tests/bench/desktop_start.sh [BIN_DIR] [RUNS]      defaults: build/release/bin 9
# Renders offscreen and in folders of its own; a real X server adds what connecting to it costs.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=${1:-build/release/bin}
runs=${2:-9}
home=$(mktemp -d)
trap 'HOME=$home LOCKSTEP_HOME=$home/ls "$bin/lockstep" rehearsal stop >/dev/null 2>&1 || true; rm -rf "$home"' EXIT
export HOME=$home LOCKSTEP_HOME=$home/ls QT_QPA_PLATFORM=offscreen

summary() { sort -n | awk -v what="$1" -v unit="$2" '{v[NR]=$1} END {printf "%-22s n=%d median=%s %s (%s-%s)\n", what, NR, v[int((NR+1)/2)], unit, v[1], v[NR]}'; }

for ((i = 0; i < runs; i++)); do "$bin/lockstep-desktop" --quit-after-start 2>/dev/null; done >"$home/starts"
sed -n 's/.*first_paint_ms=\([0-9.]*\).*/\1/p' "$home/starts" | summary "desktop first paint" ms
sed -n 's/.*rss_mb=\([0-9.]*\).*/\1/p' "$home/starts" | summary "desktop resident" MB
for ((i = 0; i < runs; i++)); do
  begin=$(date +%s%N)
  "$bin/lockstep" plan resources/starter/pytorch-cpp/train.yaml --json >/dev/null
  echo $((($(date +%s%N) - begin) / 100000))
done | sort -n | awk '{print $1 / 10}' | summary "lockstep plan" ms
