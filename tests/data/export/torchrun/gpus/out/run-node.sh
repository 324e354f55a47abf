#!/usr/bin/env bash
# Starts the ranks of one node, and ends with their exit status.
#   ./run-node.sh NODE_RANK [options]
#     --master HOST[:PORT]        node 0 (default: the first line of ./hosts, port as in cluster.sh)
#     --rendezvous static|c10d    how torchrun finds the other nodes (default: static)
#     --launcher torchrun|shell   shell: start the ranks without Python, with the variables that torchrun sets
#                                 (default: torchrun where there is one)
#     --ranks N                   ranks on this node (default: as in cluster.sh)
#     --print                     print the command instead of running it
# Variables: CODE_DIR where the code is, PYTHON and TORCHRUN which programs to use, TORCHRUN_ARGS more options
# for torchrun (torchrun 1.13 under Python 3.11 needs TORCHRUN_ARGS='-r 9:1 -t 9:1').
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [[ -f $here/secrets.env ]]; then
  # shellcheck source=/dev/null
  . "$here/secrets.env"
fi
# shellcheck source=/dev/null
. "$here/cluster.sh"

usage() {
  sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
  exit 2
}

fail() {
  echo "run-node.sh: $1" >&2
  exit 1
}

node_rank=
master=
rendezvous=static
launcher=
ranks=${LOCKSTEP_RANKS_PER_NODE:-}
print=no
while (($# > 0)); do
  case $1 in
    --master | --rendezvous | --launcher | --ranks)
      (($# > 1)) || usage
      case $1 in
        --master) master=$2 ;;
        --rendezvous) rendezvous=$2 ;;
        --launcher) launcher=$2 ;;
        --ranks) ranks=$2 ;;
      esac
      shift
      ;;
    --print) print=yes ;;
    -*) usage ;;
    *)
      [[ -z $node_rank ]] || usage
      node_rank=$1
      ;;
  esac
  shift
done
[[ $node_rank =~ ^[0-9]+$ ]] || usage
[[ $rendezvous == static || $rendezvous == c10d ]] || usage
[[ -z $launcher || $launcher == torchrun || $launcher == shell ]] || usage
((node_rank < LOCKSTEP_NODES)) || fail "there is no node $node_rank: the cluster has $LOCKSTEP_NODES"

if [[ -z $master ]]; then
  [[ -f $here/hosts ]] || fail "name node 0 with --master HOST"
  master=$(grep -m 1 -v -e '^#' -e '^$' "$here/hosts")
fi
master_addr=${master%:*}
master_port=$LOCKSTEP_MASTER_PORT
[[ $master == "$master_addr" ]] || master_port=${master##*:}

torchrun=${TORCHRUN:-torchrun}
if [[ -z $launcher ]]; then
  launcher=torchrun
  if ! command -v -- "$torchrun" >/dev/null; then
    launcher=shell
    echo "run-node.sh: there is no torchrun here; starting the ranks without it" >&2
  fi
fi
[[ $launcher == torchrun || $rendezvous == static ]] || fail "the c10d rendezvous is a part of torchrun"

if [[ -z $ranks ]]; then
  ranks=$(nvidia-smi -L 2>/dev/null | wc -l)
  ((ranks > 0)) || fail "the shape does not tell how many GPUs a node has: use --ranks N"
fi

# What node $node_rank runs: LOCKSTEP_ENTRY, LOCKSTEP_ARGUMENTS and LOCKSTEP_ENVIRONMENT.
lockstep_node "$node_rank"

# The entry: an absolute path, a file of the code folder, or a program on PATH.
code_dir=${CODE_DIR:-$LOCKSTEP_CODE_DIR}
case $LOCKSTEP_ENTRY in
  /*) program=$LOCKSTEP_ENTRY ;;
  *) program=$code_dir/$LOCKSTEP_ENTRY ;;
esac
if [[ ! -e $program && $LOCKSTEP_ENTRY != */* ]] && command -v -- "$LOCKSTEP_ENTRY" >/dev/null; then
  program=$(command -v -- "$LOCKSTEP_ENTRY")
fi
[[ -e $program || $print == yes ]] || fail "there is no '$program': set CODE_DIR to the folder of the code"

environment=("${LOCKSTEP_ENVIRONMENT[@]}")
# A default: neither the train.yaml nor the caller says anything else.
add_default() {
  local variable
  [[ -z ${!1-} ]] || return 0
  for variable in "${environment[@]}"; do
    [[ $variable != "$1="* ]] || return 0
  done
  environment+=("$1=$2")
}

# The network interface through which this node and node 0 reach each other.
interface_to() {
  local address
  command -v ip >/dev/null || return 0
  address=$(getent ahostsv4 "$1" | sed -n '1s/ .*//p')
  [[ -n $address ]] || return 0
  local own
  own=$(ip -o -4 addr show | awk -v a="$address" 'index($4, a "/") == 1 { print $2; exit }')
  if [[ -z $own && $address == 127.* ]]; then own=lo; fi
  [[ -n $own ]] || own=$(ip -o route get "$address" 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p')
  echo "$own"
}

interface=$(interface_to "$master_addr" || true)
if [[ -n $interface ]]; then
  add_default GLOO_SOCKET_IFNAME "$interface"
  add_default NCCL_SOCKET_IFNAME "$interface"
fi
add_default NCCL_DEBUG WARN
if [[ $LOCKSTEP_RDMA == yes ]]; then # RoCE v2 of OCI's cluster networks
  add_default NCCL_IB_GID_INDEX 3
  add_default NCCL_IB_TC 41
  add_default NCCL_IB_SL 0
  add_default NCCL_IB_QPS_PER_CONNECTION 4
fi
add_default PYTHONUNBUFFERED 1

command=("$program")
if [[ $launcher == torchrun ]]; then
  read -r -a options <<<"${TORCHRUN_ARGS:-}"
  options+=("--nnodes=$LOCKSTEP_NODES" "--nproc_per_node=$ranks")
  if [[ $rendezvous == static ]]; then
    options+=("--node_rank=$node_rank" "--master_addr=$master_addr" "--master_port=$master_port")
  else
    options+=("--rdzv_backend=c10d" "--rdzv_endpoint=$master_addr:$master_port" "--rdzv_id=$LOCKSTEP_NAME")
  fi
  [[ $program == *.py ]] || options+=("--no_python")
  command=("$torchrun" "${options[@]}" "$program")
elif [[ $program == *.py ]]; then
  command=("${PYTHON:-python3}" "$program")
fi
command+=("${LOCKSTEP_ARGUMENTS[@]}")

if [[ $print == yes ]]; then
  printf '%q ' env "${environment[@]}" "${command[@]}"
  echo
  exit 0
fi
if [[ $launcher == torchrun ]]; then
  exec env "${environment[@]}" "${command[@]}"
fi

# Without torchrun: one process for each rank, with torchrun's variables. The first that fails ends the others.
pids=()
stop_ranks() {
  kill "${pids[@]}" 2>/dev/null || true
}
trap 'stop_ranks; wait; exit 143' TERM
trap 'stop_ranks; wait; exit 130' INT
for ((local_rank = 0; local_rank < ranks; local_rank++)); do
  env "${environment[@]}" \
    RANK=$((node_rank * ranks + local_rank)) LOCAL_RANK=$local_rank \
    WORLD_SIZE=$((LOCKSTEP_NODES * ranks)) LOCAL_WORLD_SIZE="$ranks" \
    NODE_RANK="$node_rank" GROUP_RANK="$node_rank" \
    MASTER_ADDR="$master_addr" MASTER_PORT="$master_port" \
    "${command[@]}" &
  pids+=($!)
done
status=0
for ((ended = 0; ended < ranks; ended++)); do
  wait -n || {
    status=$?
    stop_ranks
    break
  }
done
wait
exit "$status"
