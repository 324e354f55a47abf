#!/usr/bin/env bash
# Starts the cluster on this machine, waits until every node has ended, and says how each one did.
#   ./start.sh            the work dir is in object storage, if the train.yaml says so
#   ./start.sh --local    the nodes meet in ./work_dir; no OCI keys are needed for that
#   ./start.sh --down     stops and removes the containers
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

files=(-f docker-compose.yml)
local_variant=no
down=no
for argument in "$@"; do
  case $argument in
    --local) local_variant=yes ;;
    --down) down=yes ;;
    *)
      echo "usage: ./start.sh [--local] [--down]" >&2
      exit 2
      ;;
  esac
done
if [[ $local_variant == yes && -f docker-compose.local.yml ]]; then
  files+=(-f docker-compose.local.yml)
fi

if docker compose version >/dev/null 2>&1; then
  compose() { docker compose "${files[@]}" "$@"; }
elif command -v docker-compose >/dev/null; then
  compose() { docker-compose "${files[@]}" "$@"; }
else
  echo "neither 'docker compose' nor 'docker-compose' is installed" >&2
  exit 1
fi

if [[ -f secrets.env ]]; then
  set -a
  # shellcheck source=/dev/null
  . ./secrets.env
  set +a
fi

# A fresh folder of the work dir for every start: what an earlier one left there would lead the nodes astray.
export LOCKSTEP_RUN="${LOCKSTEP_RUN:-compose-$(date -u +%Y%m%d-%H%M%S)}"

oci_dir=${LOCKSTEP_OCI_DIR:-$HOME/.oci}
if [[ ! -d $oci_dir ]]; then
  if [[ $local_variant == no && -f docker-compose.local.yml && $down == no ]]; then
    echo "there is no folder '$oci_dir' with an OCI config: set LOCKSTEP_OCI_DIR, or use ./start.sh --local" >&2
    exit 1
  fi
  mkdir -p no_oci_keys
  oci_dir=$PWD/no_oci_keys
fi
export LOCKSTEP_OCI_DIR=$oci_dir

compose down --remove-orphans
[[ $down == no ]] || exit 0

# The containers run as root, so what they left may not be ours to delete; then one of them does it.
empty_work_dir() {
  mkdir -p work_dir artifacts
  find work_dir -mindepth 1 -delete 2>/dev/null && return
  local services
  services=$(compose config --services)
  compose run --rm --no-deps -T -v "$PWD/work_dir:/lockstep_work_dir" --entrypoint /bin/sh "${services%%$'\n'*}" \
    -c 'find /lockstep_work_dir -mindepth 1 -delete'
}
empty_work_dir

compose up
failed=0
for container in $(compose ps -a -q); do
  ended=$(docker inspect --format '{{.Name}} ended with exit status {{.State.ExitCode}}' "$container")
  echo "${ended#/}"
  [[ $ended == *" 0" ]] || failed=1
done
exit "$failed"
