#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures how much of the communication between two hosts lockstep-trainer hides behind backward: two ranks in two
# network namespaces with host names of their own, joined by a link that tc holds to RATE, with --overlap off and on in
# turns.
#
#   overlap.sh TRAINER [ROUNDS] [RATE] [MODEL BATCH STEPS]…      root; 5 rounds, 1gbit, cifar 16 60 resnet18 64 4
#
# What could be hidden at most is the communication or, where that is shorter, the backward pass (medians of a run, both
# without overlap). Of that, "out of the way" is what no rank stands still for any more; "saved" is what the step became
# shorter by, which is less where the network takes its processor time from the cores that compute.
set -euo pipefail
if [ $# -lt 1 ]; then
  sed -n '3,12s/^# \{0,1\}//p' "$0"
  exit 2
fi
trainer=$(realpath "$1")
rounds=${2:-5}
rate=${3:-1gbit}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- cifar 16 60 resnet18 64 4
tag=lk$$
work=$(mktemp -d)
trap 'ip netns del ${tag}a 2>/dev/null || true; ip netns del ${tag}b 2>/dev/null || true; rm -rf "$work"' EXIT

ip netns add ${tag}a
ip netns add ${tag}b
ip link add wire netns ${tag}a type veth peer name wire netns ${tag}b
for host in a b; do
  ip netns exec $tag$host ip link set lo up
  ip netns exec $tag$host ip link set wire up
  ip netns exec $tag$host tc qdisc add dev wire root tbf rate "$rate" burst 256k latency 50ms
done
ip netns exec ${tag}a ip addr add 10.77.0.1/24 dev wire
ip netns exec ${tag}b ip addr add 10.77.0.2/24 dev wire

# one HOST RANK ARGUMENTS…
one() {
  # shellcheck disable=SC2016  # the inner shell expands them
  RANK=$2 LOCAL_RANK=0 WORLD_SIZE=2 LOCAL_WORLD_SIZE=1 MASTER_ADDR=10.77.0.1 MASTER_PORT=29555 GLOO_SOCKET_IFNAME=wire \
    unshare --uts bash -c 'hostname "host-$0"; exec ip netns exec "$@"' "$1" "$tag$1" "$trainer" "${@:3}"
}

# both MODEL BATCH STEPS OVERLAP: "step communication backward" of rank 0, ms
both() {
  local arguments=(--model "$1" --batch-size "$2" --bench "$3" --warm-up 3 --threads 1 --no-metrics --overlap "$4")
  one b 1 "${arguments[@]}" >"$work/b" 2>&1 &
  one a 0 "${arguments[@]}" >"$work/a" 2>&1
  wait
  awk '{ for (i = 1; i <= NF; ++i) { split($i, part, "="); value[part[1]] = part[2] } }
       END { print value["step_ms_median"], value["wait"] + value["transfer"], value["bwd"] }' "$work/a"
}

while [ $# -ge 3 ]; do
  for ((i = 0; i < rounds; ++i)); do
    echo "$(both "$1" "$2" "$3" off) $(both "$1" "$2" "$3" on)"
  done | awk -v title="$1, batch $2 per rank, $rate" '
    function median(values, n,   i, j, swap) {
      for (i = 1; i < n; ++i) for (j = n; j > i; --j) if (values[j] < values[j - 1]) {
        swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap
      }
      return values[int((n + 1) / 2)]
    }
    NF == 6 {
      ++n; off[n] = $1; communication[n] = $2; backward[n] = $3; on[n] = $4
      most = $2 < $3 ? $2 : $3
      away[n] = 100 * ($2 - $5) / most
      saved[n] = 100 * ($1 - $4) / most
    }
    END {
      if (n == 0) { print title ": no run ended well"; exit 1 }
      printf "%s: n=%d, step %.1f ms without overlap (communication %.1f, backward %.1f), %.1f with; ", title, n,
        median(off, n), median(communication, n), median(backward, n), median(on, n)
      printf "out of the way %.0f %%", median(away, n); printf " (%.0f-%.0f), ", away[1], away[n]
      printf "saved %.0f %%", median(saved, n); printf " (%.0f-%.0f)\n", saved[1], saved[n]
    }'
  shift 3
done
