#!/usr/bin/env bash
# run.sh [ARGUMENT...]: trains with Open MPI, from the first node. ARGUMENTS come after those of settings.sh.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
prepare_launch

# An `mpirun` may also be MPICH's.
mpirun=''
for candidate in "$OPENMPI_PROGRAM" mpirun.openmpi mpirun; do
  if [ -z "$candidate" ] || ! command -v "$candidate" >/dev/null 2>&1; then continue; fi
  case $("$candidate" --version 2>/dev/null) in *'Open MPI'*) mpirun=$candidate ;; esac
  if [ -n "$mpirun" ]; then break; fi
done
[ -n "$mpirun" ] || fail "there is no mpirun of Open MPI on PATH" \
  "install openmpi-bin, or use ./run-hydra.sh with Intel MPI or MPICH"

options=(--hostfile "$STATE/launch/hostfile" -np "$WORLD_SIZE" --map-by slot --bind-to none --tag-output
  --mca plm_rsh_agent "$KIT/lockstep-ssh" --mca plm_rsh_no_tree_spawn 1
  --mca oob_tcp_if_include "$NETWORK" --mca btl_tcp_if_include "$NETWORK")
if [ "$(id -u)" = 0 ]; then options+=(--allow-run-as-root); fi
exec "$mpirun" "${options[@]}" ${OPENMPI_OPTIONS[@]+"${OPENMPI_OPTIONS[@]}"} \
  -x MASTER_ADDR -x MASTER_PORT "$KIT/rank.sh" "$@" </dev/null
