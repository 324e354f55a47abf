#!/usr/bin/env bash
# run-hydra.sh [ARGUMENT...]: trains with Intel MPI or MPICH, from the first node. ARGUMENTS come after those of
# settings.sh. All nodes must have the same number of ranks.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
prepare_launch
require_program mpiexec.hydra "Intel MPI or MPICH"
for slots in "${HOST_SLOTS[@]}"; do
  [ "$slots" = "${HOST_SLOTS[0]}" ] || fail "-ppn is one number for all nodes, but $KIT/hosts has several" "use ./run.sh"
done
hosts=$(IFS=, && printf '%s' "${HOST_NAMES[*]}")
# I_MPI_* and FI_* are Intel MPI's; MPICH takes the interface from -iface and ignores them.
exec mpiexec.hydra -bootstrap ssh -bootstrap-exec "$KIT/lockstep-ssh" -iface "$DEVICE" -l \
  -hosts "$hosts" -ppn "${HOST_SLOTS[0]}" -n "$WORLD_SIZE" \
  -genv MASTER_ADDR "$MASTER_ADDR" -genv MASTER_PORT "$MASTER_PORT" \
  -genv I_MPI_HYDRA_IFACE "$DEVICE" -genv FI_TCP_IFACE "$DEVICE" -genv I_MPI_PIN 0 \
  ${HYDRA_OPTIONS[@]+"${HYDRA_OPTIONS[@]}"} "$KIT/rank.sh" "$@" </dev/null
