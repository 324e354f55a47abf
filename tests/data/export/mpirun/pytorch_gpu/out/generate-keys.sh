#!/usr/bin/env bash
# Makes the keys of this kit: one that logs in, and one host key for each node of `hosts`. Keys that are there stay.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
require_program ssh-keygen openssh-client
umask 077

# make_key FILE COMMENT
make_key() {
  if [ ! -f "$1" ]; then
    ssh-keygen -q -t ed25519 -N '' -C "$2" -f "$1"
    printf 'made %s\n' "$1"
  elif [ ! -f "$1.pub" ]; then
    ssh-keygen -y -f "$1" >"$1.pub"
    printf 'made %s.pub\n' "$1"
  fi
  chmod 600 "$1"
  chmod 644 "$1.pub"
}

read_hosts
mkdir -p "$KIT/keys/hosts"
chmod 700 "$KIT/keys" "$KIT/keys/hosts"
make_key "$KIT/keys/id_ed25519" lockstep-mpi
for name in "${HOST_NAMES[@]}"; do make_key "$KIT/keys/hosts/$name" "$name"; done
printf 'keys of %s nodes are in %s/keys; id_ed25519 is for the first node only\n' "${#HOST_NAMES[@]}" "$KIT"
