#!/usr/bin/env bash
# What the scripts of this kit share. It is sourced by them, not run.
set -euo pipefail

KIT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=/dev/null
. "$KIT/settings.sh"

# fail WHAT [REMEDY]
fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  if [ -n "${2:-}" ]; then printf '  %s\n' "$2" >&2; fi
  exit 1
}

# ssh, sshd and mpirun cut paths at blanks and expand %, so neither may be in one.
require_plain_path() {
  case $1 in
    *[!A-Za-z0-9_./+@-]*) fail "'$1' is no path that ssh and mpirun can use" "use one of letters, digits and _ . / + @ -" ;;
  esac
}
require_plain_path "$KIT"

if [ -z "${HOME:-}" ]; then HOME=$(getent passwd "$(id -u)" | cut -d: -f6); fi
NODE_USER=${NODE_USER:-$(id -un)}
# Configuration with this machine's paths, and what runs here. Not part of the kit, so the kit may be read-only.
STATE=${LOCKSTEP_MPI_STATE:-$HOME/.lockstep-mpi}
require_plain_path "$STATE"

require_program() {
  command -v "$1" >/dev/null 2>&1 || fail "the program '$1' is missing on $(uname -n)" "install $2"
}

# Reads the file `hosts` into HOST_NAMES, HOST_TARGETS and HOST_SLOTS.
read_hosts() {
  HOST_NAMES=() HOST_TARGETS=() HOST_SLOTS=() WORLD_SIZE=0
  local name target slots rest number=0 seen=' '
  while read -r name target slots rest || [ -n "$name" ]; do
    number=$((number + 1))
    case $name in '' | '#'*) continue ;; esac
    [[ $name =~ ^[a-z][a-z0-9-]*$ ]] || fail "hosts:$number: '$name' is no name of a node" "use a-z, 0-9 and -"
    [[ $slots =~ ^[1-9][0-9]{0,3}$ ]] || fail "hosts:$number: '$slots' is no number of ranks" "write: name address ranks"
    [[ -z $rest || $rest == '#'* ]] || fail "hosts:$number: '$rest' is too much" "write: name address ranks"
    [[ $seen != *" $name "* ]] || fail "hosts:$number: '$name' is there twice" "every node needs a name of its own"
    seen="$seen$name "
    HOST_NAMES+=("$name") HOST_TARGETS+=("$target") HOST_SLOTS+=("$slots")
    WORLD_SIZE=$((WORLD_SIZE + slots))
  done <"$KIT/hosts"
  [ "${#HOST_NAMES[@]}" -gt 0 ] || fail "the file '$KIT/hosts' names no node"
}

# address_of INDEX: the IPv4 address of a node
address_of() {
  local target=${HOST_TARGETS[$1]} address rest
  if [[ $target =~ ^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
    printf '%s\n' "$target"
    return
  fi
  read -r address rest < <(getent ahostsv4 "$target") || address=''
  [ -n "$address" ] || fail "cannot resolve '$target', the address of ${HOST_NAMES[$1]}" \
    "write its IP address into the second column of $KIT/hosts, on every node alike"
  printf '%s\n' "$address"
}

# index_of NAME
index_of() {
  local i
  for i in "${!HOST_NAMES[@]}"; do
    if [ "${HOST_NAMES[$i]}" = "$1" ]; then
      printf '%s\n' "$i"
      return
    fi
  done
  fail "the file '$KIT/hosts' has no node '$1'"
}

# One line "interface address/prefix" for each IPv4 address of this machine.
local_addresses() {
  local dev address rest
  if command -v ip >/dev/null 2>&1; then
    ip -o -4 addr show | while read -r _ dev _ address rest; do printf '%s %s\n' "$dev" "$address"; done
  else
    for address in $(hostname -I); do printf -- '- %s/32\n' "$address"; done
  fi
}

# interface_with ADDRESS: "interface address/prefix" of this machine's interface that has the address, or nothing
interface_with() {
  local dev address
  while read -r dev address; do
    if [ "${address%/*}" = "$1" ]; then
      printf '%s %s\n' "$dev" "$address"
      return
    fi
  done < <(local_addresses)
}

# The index of the node that this machine is, found by its address, or nothing.
index_here() {
  local i
  for i in "${!HOST_NAMES[@]}"; do
    if [ -n "$(interface_with "$(address_of "$i")")" ]; then
      printf '%s\n' "$i"
      return
    fi
  done
}

# The ssh configuration, the known hosts and the host file of mpirun, all from `hosts`.
write_launch_files() {
  local folder=$STATE/launch i
  [ -f "$KIT/keys/id_ed25519" ] || fail "there is no key '$KIT/keys/id_ed25519'" "run ./generate-keys.sh first"
  (umask 077 && mkdir -p "$folder")
  # ssh refuses a key that others may read, and a mounted kit need not be ours.
  install -m 600 "$KIT/keys/id_ed25519" "$folder/id_ed25519"
  : >"$folder/known_hosts"
  : >"$folder/hostfile"
  cat "$KIT/ssh_config" >"$folder/ssh_config"
  {
    printf '  User %s\n  Port %s\n' "$NODE_USER" "$SSH_PORT"
    printf '  IdentityFile %s\n  UserKnownHostsFile %s\n' "$folder/id_ed25519" "$folder/known_hosts"
  } >>"$folder/ssh_config"
  for i in "${!HOST_NAMES[@]}"; do
    printf '\nHost %s\n  HostName %s\n  HostKeyAlias %s\n' \
      "${HOST_NAMES[$i]}" "$(address_of "$i")" "${HOST_NAMES[$i]}" >>"$folder/ssh_config"
    printf '%s %s\n' "${HOST_NAMES[$i]}" "$(cut -d' ' -f1,2 "$KIT/keys/hosts/${HOST_NAMES[$i]}.pub")" \
      >>"$folder/known_hosts"
    printf '%s slots=%s\n' "${HOST_NAMES[$i]}" "${HOST_SLOTS[$i]}" >>"$folder/hostfile"
  done
  export LOCKSTEP_SSH_CONFIG=$folder/ssh_config
}

# What both kinds of mpirun need: MASTER_ADDR, NETWORK (an interface, or the network of the first node) and the
# path on which mpirun finds lockstep-ssh.
prepare_launch() {
  read_hosts
  write_launch_files
  MASTER_ADDR=$(address_of 0)
  local line
  line=$(interface_with "$MASTER_ADDR")
  [ -n "$line" ] || fail "this machine does not have $MASTER_ADDR, the address of ${HOST_NAMES[0]}" \
    "start training on the first node of $KIT/hosts"
  NETWORK=${INTERFACE:-${line#* }}
  DEVICE=${INTERFACE:-${line%% *}}
  export MASTER_ADDR MASTER_PORT NETWORK DEVICE PATH="$KIT:$PATH"
}
