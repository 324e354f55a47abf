#!/usr/bin/env bash
# start-container.sh [NAME]: this node's container, which runs the ssh server that mpirun comes in by. GPUS of
# settings.sh decides between CPUs and GPUs. `stop-container.sh` ends it.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
require_program docker docker
read_hosts
if [ -n "${1:-}" ]; then index=$(index_of "$1"); else index=$(index_here); fi
[ -n "$index" ] || fail "this machine has the address of no node of $KIT/hosts" "give the node's name"
name=${HOST_NAMES[$index]}
options=(--name "lockstep-mpi-$name" --network host --shm-size "$SHM_SIZE" --init --ulimit memlock=-1)
if [ -n "$GPUS" ]; then options+=(--gpus "$GPUS"); fi
if [ -d /dev/infiniband ]; then options+=(--device /dev/infiniband --cap-add IPC_LOCK); fi
for mount in ${MOUNTS[@]+"${MOUNTS[@]}"}; do options+=(--volume "$mount"); done
docker run --detach "${options[@]}" --volume "$KIT:$KIT:ro" --user root \
  --entrypoint "$KIT/start-sshd.sh" "$KIT_IMAGE" --foreground "$name"
printf 'started lockstep-mpi-%s\n' "$name"
if [ "$index" = 0 ]; then
  printf 'then: docker exec lockstep-mpi-%s %s/check.sh && docker exec lockstep-mpi-%s %s/run.sh\n' \
    "$name" "$KIT" "$name" "$KIT"
fi
