#!/usr/bin/env bash
# stop-container.sh [NAME]: removes this node's container.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
require_program docker docker
read_hosts
if [ -n "${1:-}" ]; then index=$(index_of "$1"); else index=$(index_here); fi
[ -n "$index" ] || fail "this machine has the address of no node of $KIT/hosts" "give the node's name"
docker rm --force "lockstep-mpi-${HOST_NAMES[$index]}"
