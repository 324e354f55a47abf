#!/usr/bin/env bash
# dashboard_table.sh BIN_DIR DRAW_RUN [ROUNDS] [FOLDER]: the real window, offscreen, over drawn runs of 3, 64 and 1,024 ranks. Each
# round opens all of them in turns, with six charts and with the heat map. Prints one line of JSON per opening, and at the end a
# table: median (least to most). The runs stay in FOLDER, some gigabytes, and are drawn only once. Wants python3.
set -euo pipefail
bin=$1 draw=$2 rounds=${3:-3} folder=${4:-$(mktemp -d)}
mkdir -p "$folder/home"
chmod 700 "$folder/home"
export HOME=$folder/home XDG_RUNTIME_DIR=$folder/home XDG_CONFIG_HOME=$folder/home XDG_DATA_HOME=$folder/home XDG_CACHE_HOME=$folder/home
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8

# RANKS STEPS ROWS CARDS: the runs of the table. Of many ranks each writes more often, in smaller segments.
runs=("3 2000 5000 6" "64 2000 5000 6" "64 20000 5000 6" "64 1000000 5000 6" "1024 2000 5000 6" "1024 100000 600 6")

for run in "${runs[@]}"; do
  read -r ranks steps rows _ <<<"$run"
  [ -d "$folder/$ranks-$steps" ] || "$draw" "$folder/$ranks-$steps" "$ranks" "$steps" "$rows" >&2
done

: > "$folder/lines"
for ((round = 0; round < rounds; ++round)); do
  for run in "${runs[@]}"; do
    read -r ranks steps _ cards <<<"$run"
    line=$("$bin/lockstep-desktop" --bench-dashboard "file://$folder/$ranks-$steps" --frames 144 --cards "$cards")
    printf '%s x %s, %s cards\t%s\n' "$ranks" "$steps" "$cards" "$line" | tee -a "$folder/lines"
  done
done

python3 - "$folder/lines" <<'PY'
import collections, json, statistics, sys
rows = collections.defaultdict(lambda: collections.defaultdict(list))
for line in open(sys.argv[1]):
    name, text = line.rstrip("\n").split("\t")
    for key, value in json.loads(text).items():
        for inner, number in (value.items() if isinstance(value, dict) else [("", value)]):
            rows[name][(key + " " + inner).strip()].append(number)
for name, figures in rows.items():
    print(name)
    for key, numbers in figures.items():
        print(f"  {key:20} {statistics.median(numbers):g} ({min(numbers):g} to {max(numbers):g}, n={len(numbers)})")
PY
