#!/usr/bin/env bash
# Copies the kit to the same folder on every other node, over your own ssh (settings.sh: ADMIN_SSH). Each node gets its
# own host key; the key that logs in stays here. Needless when the nodes share this folder.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
read_hosts
here=$(index_here)
[ -n "$here" ] || fail "this machine has the address of no node of $KIT/hosts" "run it on one of the nodes"
[ -f "$KIT/keys/id_ed25519.pub" ] || fail "there is no key '$KIT/keys/id_ed25519.pub'" "run ./generate-keys.sh first"

cd "$KIT"
files=(.gitignore)
for file in *; do
  if [ "$file" != keys ]; then files+=("$file"); fi
done
for i in "${!HOST_NAMES[@]}"; do
  name=${HOST_NAMES[$i]}
  if [ "$i" = "$here" ]; then continue; fi
  keys=(keys/id_ed25519.pub "keys/hosts/$name" "keys/hosts/$name.pub")
  if [ "$i" = 0 ]; then keys=(keys); fi # the node that training is started on
  address=$(address_of "$i")
  printf 'copying to %s (%s)\n' "$name" "$address"
  tar -cf - "${files[@]}" "${keys[@]}" |
    "${ADMIN_SSH[@]}" "$address" "umask 077 && mkdir -p $KIT && tar -C $KIT -xpf -" ||
    fail "could not copy the kit to $name" "check that '${ADMIN_SSH[*]} $address' works"
done
