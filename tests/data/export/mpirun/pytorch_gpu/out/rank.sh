#!/usr/bin/env bash
# One rank: tells the program its place in the words of PyTorch, gives it the environment of the train.yaml, and becomes
# the program. mpirun starts it.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

if [ -n "${OMPI_COMM_WORLD_RANK:-}" ]; then # Open MPI
  rank=$OMPI_COMM_WORLD_RANK size=$OMPI_COMM_WORLD_SIZE local_rank=$OMPI_COMM_WORLD_LOCAL_RANK
elif [ -n "${PMI_RANK:-}" ]; then # Intel MPI, MPICH
  rank=$PMI_RANK size=$PMI_SIZE local_rank=${MPI_LOCALRANKID:-0}
else
  fail "no mpirun started this: neither OMPI_COMM_WORLD_RANK nor PMI_RANK is set" "use ./run.sh"
fi

read_hosts
[ "$size" = "$WORLD_SIZE" ] || fail "mpirun started $size ranks, but $KIT/hosts has $WORLD_SIZE" \
  "the file must be the same on every node: run ./copy-to-nodes.sh"
node=0 first=0
while ((rank >= first + HOST_SLOTS[node])); do
  first=$((first + HOST_SLOTS[node]))
  node=$((node + 1))
done
address=$(address_of "$node")
line=$(interface_with "$address")
if [ -z "$line" ] || ((local_rank != rank - first)); then
  fail "mpirun put rank $rank (local rank $local_rank) on $(uname -n), but $KIT/hosts has it on ${HOST_NAMES[$node]}" \
    "an MPI option of yours changes the placement: take it out of settings.sh"
fi
device=${INTERFACE:-${line%% *}}
network=()
if [ "$device" != - ]; then
  network=("GLOO_SOCKET_IFNAME=$device" "TP_SOCKET_IFNAME=$device" "NCCL_SOCKET_IFNAME=$device")
fi
place=("RANK=$rank" "WORLD_SIZE=$size" "LOCAL_RANK=$local_rank" "LOCAL_WORLD_SIZE=${HOST_SLOTS[$node]}"
  "NODE_RANK=$node" "MASTER_ADDR=${MASTER_ADDR:-$(address_of 0)}" "MASTER_PORT=$MASTER_PORT")

JOB_ENVIRONMENT=() NODE_ENVIRONMENT=()
for file in "$KIT/environment.sh" "$KIT/secrets.sh"; do
  # shellcheck source=/dev/null
  if [ -f "$file" ]; then . "$file" "$node"; fi
done

script=$ENTRY_POINT
if [[ $script != /* ]]; then script=$CODE_DIR/$script; fi
if [ -f "$script" ]; then
  program=("$script")
  if [[ $script == *.py ]]; then program=(python3 "$script"); fi
elif [[ $ENTRY_POINT != */* ]] && command -v "$ENTRY_POINT" >/dev/null 2>&1; then
  program=("$ENTRY_POINT")
else
  fail "${HOST_NAMES[$node]}: the entry point '$ENTRY_POINT' is neither the file '$script' nor a program on PATH" \
    "set ENTRY_POINT and CODE_DIR in settings.sh, on every node alike"
fi
if [ -d "$CODE_DIR" ]; then cd -- "$CODE_DIR"; fi

# Through `env`, because the shell could not set a variable whose name is no name to it. Later ones win.
exec env -- PYTHONUNBUFFERED=1 ${network[@]+"${network[@]}"} \
  ${JOB_ENVIRONMENT[@]+"${JOB_ENVIRONMENT[@]}"} ${NODE_ENVIRONMENT[@]+"${NODE_ENVIRONMENT[@]}"} "${place[@]}" \
  "${program[@]}" ${ARGUMENTS[@]+"${ARGUMENTS[@]}"} "$@"
