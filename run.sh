#!/usr/bin/env bash
# From a fresh clone on Debian 12 to three C++ ranks that train together on the rehearsal region, with their losses on the
# plot. Installs what is missing, builds, and opens the desktop app; without a display it runs the same story headless.
set -euo pipefail
cd "$(dirname "$0")"
. packaging/common.sh

usage() {
  cat <<'TXT'
usage: ./run.sh [--headless | --build-only | --app] [-- ARGS]
  (nothing)     install, build, open the desktop app and launch the example on the rehearsal region;
                the same as --headless when there is no display
  --headless    start the region, launch the example, follow it, print a summary per rank, write dashboard.png
  --build-only  install and build (release) and stop; the programs are in build/release/bin
  --app         open the desktop app where you left it, launch nothing; ARGS go to lockstep-desktop
TXT
}

mode=auto
case "${1:-}" in
  '') ;;
  --headless | --build-only | --app) mode=${1#--}; shift ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac
[ "${1:-}" = -- ] && shift
if [ "$mode" = auto ]; then
  if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then mode=desktop; else mode=headless; fi
fi

install_missing build run test
build release programs  # the tests are built by ./test.sh: the first picture comes sooner without them
bin=$PWD/build/release/bin

# The example becomes the user's own file, so that editing it never touches the checkout.
data=${LOCKSTEP_HOME:+$LOCKSTEP_HOME/data}
example=${data:-${XDG_DATA_HOME:-$HOME/.local/share}/lockstep}/projects/cifar-ddp/train.yaml
mkdir -p "$(dirname "$example")"
[ -e "$example" ] || cp resources/starter/pytorch-cpp/train.yaml "$example"

headless() {
  say "Starting the rehearsal region"
  was_running=yes  # not local: the trap below reads it after this function has ended
  "$bin/lockstep" rehearsal status >/dev/null 2>&1 || was_running=no
  "$bin/lockstep" rehearsal start >&2
  trap '[ "$was_running" = yes ] || "$bin/lockstep" rehearsal stop >/dev/null 2>&1 || true' EXIT
  say "Training: 1 main and 2 workers ($example)"
  "$bin/lockstep" run --on rehearsal "$example"
  say "Drawing dashboard.png"
  "$bin/lockstep-desktop" --dashboard dashboard.png --size 1480x860
  say "Done: $PWD/dashboard.png"
}

case $mode in
  build-only) say "Built: $bin" ;;
  headless) headless ;;
  app) exec "$bin/lockstep-desktop" "$@" ;;
  desktop)
    say "Opening Lockstep"
    exec "$bin/lockstep-desktop" --launch "$example" "$@" ;;
esac
