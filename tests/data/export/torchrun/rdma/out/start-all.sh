#!/usr/bin/env bash
# Starts every node of ./hosts, each over ssh unless it is this machine, and ends with the first failure.
#   ./start-all.sh [--copy] [options of run-node.sh]
#     --copy    first copy this folder to every host
# On the hosts, this folder is at the same path as here; LOCKSTEP_FOLDER says another one.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${LOCKSTEP_FOLDER:-$here}

copy=no
if [[ ${1-} == --copy ]]; then
  copy=yes
  shift
fi
mapfile -t hosts < <(grep -v -e '^#' -e '^$' "$here/hosts")

is_here() {
  [[ $1 == localhost || $1 == 127.* || $1 == "$(hostname)" ]]
}

# A terminal for every node, so that the ranks end when this script does.
on_host() {
  ssh -tt -o BatchMode=yes -o ConnectTimeout=10 "$1" "$2" </dev/null
}

if [[ $copy == yes ]]; then
  for host in "${hosts[@]}"; do
    is_here "$host" && continue
    tar -C "$here" -c . | ssh -o BatchMode=yes -o ConnectTimeout=10 "$host" \
      "mkdir -p $(printf '%q' "$folder") && tar -C $(printf '%q' "$folder") -x"
  done
fi

pids=()
trap 'kill "${pids[@]}" 2>/dev/null; wait; exit 143' INT TERM
for node_rank in "${!hosts[@]}"; do
  host=${hosts[node_rank]}
  if is_here "$host"; then
    "$here/run-node.sh" "$node_rank" "$@" &
  else
    on_host "$host" "$(printf '%q ' "$folder/run-node.sh" "$node_rank" --master "${hosts[0]}" "$@")" &
  fi
  pids+=($!)
done
status=0
for pid in "${pids[@]}"; do
  wait "$pid" || { [[ $status -ne 0 ]] || status=$?; }
done
exit "$status"
