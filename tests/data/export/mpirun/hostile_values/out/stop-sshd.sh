#!/usr/bin/env bash
# stop-sshd.sh [NAME]: stops what start-sshd.sh started on this node.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
read_hosts
if [ -n "${1:-}" ]; then index=$(index_of "$1"); else index=$(index_here); fi
[ -n "$index" ] || fail "this machine has the address of no node of $KIT/hosts" "give the node's name"
pid_file=$STATE/${HOST_NAMES[$index]}/sshd.pid
if [ ! -f "$pid_file" ]; then
  printf '%s: no sshd of this kit runs\n' "${HOST_NAMES[$index]}"
  exit 0
fi
pid=$(cat "$pid_file")
if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = sshd ]; then kill "$pid"; fi
rm -f "$pid_file"
printf '%s: stopped\n' "${HOST_NAMES[$index]}"
