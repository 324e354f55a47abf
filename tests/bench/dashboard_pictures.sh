#!/usr/bin/env bash
# dashboard_pictures.sh BIN_DIR DRAW_RUN OUT [RANKS…]: every layout of the dashboard for drawn runs with so many ranks (3, 64 and
# 1,024), light and dark, at 100 and 200 %, in English and German, as OUT/RANKS-LAYOUT-THEME-SCALE-LANGUAGE.png: for people who
# look. The runs have all quantities.
set -euo pipefail
bin=$1 draw=$2 out=$3
shift 3
[ $# -gt 0 ] || set -- 3 64 1024
mkdir -p "$out/runs"
mkdir -p "$out/home"
chmod 700 "$out/home"
export HOME=$out/home XDG_RUNTIME_DIR=$out/home XDG_CONFIG_HOME=$out/home XDG_DATA_HOME=$out/home XDG_CACHE_HOME=$out/home
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8

for ranks in "$@"; do
  run=$out/runs/$ranks-ranks
  [ -d "$run" ] || "$draw" "$run" "$ranks" 1000 500 all
  for layout in Overview Learning Speed GPUs Network "Hunt the straggler"; do
    for theme in light dark; do
      for scale in 1 2; do
        for language in en de; do
          file=$out/$ranks-${layout// /-}-$theme-${scale}00-$language.png
          QT_SCALE_FACTOR=$scale "$bin/lockstep-desktop" --dashboard "$file" --run "file://$run" --layout "$layout" --theme "$theme" \
            --language "$language" --size 1480x860 || echo "no picture: $file" >&2
        done
      done
    done
  done
done
