#!/usr/bin/env bash
# start-sshd.sh [--foreground] [NAME]: the ssh server of this node, on its own port. NAME is the node's name in `hosts`;
# without it the node is found by its address.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
foreground=no
if [ "${1:-}" = --foreground ]; then foreground=yes && shift; fi
read_hosts
if [ -n "${1:-}" ]; then index=$(index_of "$1"); else index=$(index_here); fi
[ -n "$index" ] || fail "this machine has the address of no node of $KIT/hosts" "give the node's name"
name=${HOST_NAMES[$index]}
address=$(address_of "$index")
PATH=$PATH:/usr/sbin:/usr/local/sbin
require_program sshd openssh-server
sshd=$(command -v sshd) # sshd wants its own absolute path
folder=$STATE/$name
pid_file=$folder/sshd.pid

[ -f "$KIT/keys/hosts/$name" ] || fail "there is no host key '$KIT/keys/hosts/$name'" "run ./generate-keys.sh first"
(umask 077 && mkdir -p "$folder")
install -m 600 "$KIT/keys/hosts/$name" "$folder/host_key"
printf 'restrict %s\n' "$(cat "$KIT/keys/id_ed25519.pub")" >"$folder/authorized_keys"
chmod 600 "$folder/authorized_keys"
{
  cat "$KIT/sshd_config"
  printf 'Port %s\nListenAddress %s\nHostKey %s\n' "$SSH_PORT" "$address" "$folder/host_key"
  printf 'AuthorizedKeysFile %s\nAllowUsers %s\nPidFile %s\n' "$folder/authorized_keys" "$NODE_USER" "$pid_file"
} >"$folder/sshd_config"
if [ "$(id -u)" = 0 ]; then mkdir -p /run/sshd; fi # sshd locks itself in there
"$sshd" -t -f "$folder/sshd_config" || fail "sshd does not take '$folder/sshd_config'"
if [ "$foreground" = yes ]; then exec "$sshd" -D -e -f "$folder/sshd_config"; fi

answers() { (exec 3<>"/dev/tcp/$address/$SSH_PORT") 2>/dev/null; }
if answers; then
  if [ -f "$pid_file" ] && kill -0 "$(cat "$pid_file")" 2>/dev/null; then
    printf '%s: sshd runs already on %s port %s\n' "$name" "$address" "$SSH_PORT"
    exit 0
  fi
  fail "port $SSH_PORT of $address is taken by another program" "set SSH_PORT in settings.sh, on every node alike"
fi
"$sshd" -E "$folder/sshd.log" -f "$folder/sshd_config"
for _ in $(seq 100); do
  if answers; then
    printf '%s: sshd listens on %s port %s\n' "$name" "$address" "$SSH_PORT"
    exit 0
  fi
  sleep 0.1
done
fail "sshd does not answer on $address port $SSH_PORT" "read $folder/sshd.log"
