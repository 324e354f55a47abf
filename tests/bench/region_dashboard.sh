#!/usr/bin/env bash
# region_dashboard.sh BIN_DIR PUT_RUN RUN_FOLDER [ROUNDS]: the real window, offscreen, over a drawn run in a bucket of a region of its own,
# instead of in a folder: what is read of it for the first picture, and when that is there. Prints a line of JSON for each round.
set -euo pipefail
bin=$(realpath "$1") put=$(realpath "$2") run=$(realpath "$3") rounds=${4:-3}
home=$(mktemp -d)
chmod 700 "$home"
export HOME=$home XDG_RUNTIME_DIR=$home XDG_CONFIG_HOME=$home XDG_DATA_HOME=$home XDG_CACHE_HOME=$home
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
trap '"$bin/lockstep" rehearsal stop >/dev/null 2>&1; rm -rf "$home"' EXIT
"$bin/lockstep" rehearsal start >&2
"$put" "$run" oci://lockstep@rehearsal/runs >&2
bytes=$(du -sb --apparent-size "$run" | cut -f 1)
for ((round = 0; round < rounds; ++round)); do
  line=$("$bin/lockstep-desktop" --profile REHEARSAL --bench-dashboard "oci://lockstep@rehearsal/runs/$(basename "$run")" --frames 144 --cards 6)
  printf '%s\tof %s bytes\n' "$line" "$bytes"
done
