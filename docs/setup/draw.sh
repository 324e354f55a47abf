#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws the pictures of this folder against a rehearsal region of its own: each step of the set-up page in an empty
# tenancy (missing), with the preview of what would fix it (preview), once everything is fixed (ready), and while the
# services fail (error); light and dark. Needs no display and touches nothing of the user's.
#   docs/setup/draw.sh build/release/bin [FOLDER [HOME]]    HOME: an empty folder that pictures may name
#   DOCKER_HOST  (environment) a Docker daemon, for the pictures of the engine and the registry login that are ready
set -eu
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "${2:-$here}" && cd "${2:-$here}" && pwd)
home=${3:-$(mktemp -d)}
mkdir -m 700 "$home/run" "$home/shots"
export HOME="$home" LOCKSTEP_HOME="$home/lockstep" XDG_RUNTIME_DIR="$home/run" QT_QPA_PLATFORM=offscreen LANG=C.UTF-8
docker=${DOCKER_HOST:-}
export DOCKER_HOST="unix://$home/no-daemon"
unset OCI_CONFIG_FILE OCI_CLI_CONFIG_FILE OCI_CLI_PROFILE DBUS_SESSION_BUS_ADDRESS 2>/dev/null || true
lockstep="$bin/lockstep"
trap '"$lockstep" rehearsal stop >/dev/null 2>&1; rm -rf "$home"' EXIT

# draw STATE STEPS [--previews]: STEP-STATE-THEME.png, and STEP-preview-THEME.png of what would fix it
draw() {
  state=$1 steps=$2
  shift 2
  for theme in light dark; do
    rm -f "$home"/shots/*.png
    "$bin/lockstep-desktop" --screenshot "$home/shots" --steps "$steps" --open "$train" --profile "$profile" \
      --theme "$theme" --size 1100x760 "$@" >/dev/null
    for file in "$home"/shots/*.png; do
      name=$(basename "$file" "-$theme.png")
      case "$name" in *-preview) ;; *) name="$name-$state" ;; esac
      # A page has few colours: with a palette a picture is a third as large.
      if command -v convert >/dev/null; then
        convert "$file" -dither None -colors 160 "PNG8:$out/$name-$theme.png"
      else
        mv "$file" "$out/$name-$theme.png"
      fi
    done
  done
}

# choose CHOICES: as if they had been chosen on the page, for $profile
choose() {
  printf '{"profiles": {"%s": {"choices": {%s}}}}' "$home/.oci/config#$profile" "$1" >"$LOCKSTEP_HOME/data/setup.json"
}

"$lockstep" init -f pytorch "$home/project" >/dev/null
train=$(find "$home/project" -name train.yaml)
profile=REHEARSAL
made=project,network,bucket,policies,repository,logging

"$lockstep" rehearsal start --seed empty >/dev/null
draw missing "containers,ocir-login,$made" --previews

echo '{"seed": 1, "faults": [{"kind": "error", "status": 503}]}' >"$home/failing.json"
"$lockstep" rehearsal faults "$home/failing.json" >/dev/null
draw error "auth,ocir-login,limits,$made"
"$lockstep" rehearsal faults --clear >/dev/null

# What one step makes, the next ones look at: once through all of them, then what waited for a later one.
for _ in 1 2; do
  "$lockstep" --profile REHEARSAL fix -f "$train" --write "$train" --yes >"$home/fix.log" 2>&1 || true
done
draw ready "machine,auth,limits,hosts,$made"

# What is not missing merely because a tenancy is empty: a profile, limits for six hundred nodes, a proxy that answers, and
# machines of one's own.
profile=NEW
choose '"newTenancy": "ocid1.tenancy.oc1..example", "newUser": "ocid1.user.oc1..example", "newRegion": "us-ashburn-1"'
draw missing auth --previews
profile=REHEARSAL
sed 's/replicas: .*/replicas: 600/' "$train" >"$home/many.yaml"
few=$train train=$home/many.yaml
draw missing limits
train=$few
export http_proxy=http://127.0.0.1:9
draw error machine
unset http_proxy
echo 'ada@127.0.0.1:9 slots=1' >"$home/machines"
choose "\"hostsFile\": \"$home/machines\""
draw error hosts
rm "$LOCKSTEP_HOME/data/setup.json"

if [ -n "$docker" ]; then
  export DOCKER_HOST="$docker"
  "$lockstep" --profile REHEARSAL fix ocir-login -f "$train" --yes >"$home/fix.log" 2>&1 || true
  draw ready "containers,ocir-login"
fi
