#!/usr/bin/env bash
# check.sh: from the first node, before training: can every node be reached, has it the same kit, and do ports connect?
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
prepare_launch
failures=0

good() { printf 'ok    %s\n' "$1"; }
skip() { printf 'skip  %s\n' "$1"; }
# bad WHAT REMEDY
bad() {
  printf 'FAIL  %s\n      %s\n' "$1" "$2"
  failures=$((failures + 1))
}

# on INDEX COMMAND: runs it on a node
on() { lockstep-ssh "${HOST_NAMES[$1]}" "$2" </dev/null; }

kit_sum() { cat "$1"/hosts "$1"/*.sh | cksum; }

check_node() {
  local i=$1 name=${HOST_NAMES[$1]} address said
  address=$(address_of "$i")
  if ! timeout 10 bash -c "exec 3<>/dev/tcp/$address/$SSH_PORT" 2>/dev/null; then
    bad "$name: no connection to $address port $SSH_PORT" \
      "start it there (start-container.sh or start-sshd.sh), and open the port inside the subnet"
    return
  fi
  if ! said=$(on "$i" true 2>&1); then
    bad "$name: ssh says: $said" "run ./generate-keys.sh, ./copy-to-nodes.sh, and start the node's sshd again"
    return
  fi
  good "$name: ssh to $address port $SSH_PORT"
  said=$(on "$i" "$(declare -f kit_sum); kit_sum $KIT 2>/dev/null" || true)
  if [ "$said" = "$(kit_sum "$KIT")" ]; then
    good "$name: has the same kit in $KIT"
  else
    bad "$name: its kit in $KIT is another one, or missing" "run ./copy-to-nodes.sh"
    return
  fi
  said=$(on "$i" "$(declare -f local_addresses interface_with); interface_with $address" || true)
  if [ -z "$said" ]; then
    bad "$name: none of its interfaces has $address" "write its own address, not that of a gateway, into $KIT/hosts"
  elif [ -n "$INTERFACE" ] && [ "${said%% *}" != "$INTERFACE" ]; then
    bad "$name: $address is on ${said%% *}, but INTERFACE is $INTERFACE" "correct INTERFACE in settings.sh"
  else
    good "$name: $address is on ${said%% *}"
  fi
}

# Listens on ADDRESS PORT (0: any free one), says which, and ends after one connection or 30 seconds. It lets the other
# side close first, or the port would stay taken for a minute.
listener='import socket, sys
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.settimeout(30)
s.bind((sys.argv[1], int(sys.argv[2])))
s.listen()
print(s.getsockname()[1], flush=True)
s.accept()[0].recv(1)'

# connects FROM TO PORT: does a connection from one node to another's port come through?
connects() {
  local address port pid result=0
  address=$(address_of "$2")
  coproc LISTEN { on "$2" "exec python3 -c $(printf '%q' "$listener") $address $3"; }
  pid=$LISTEN_PID
  if ! read -r -t 20 port <&"${LISTEN[0]}"; then
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    return 2
  fi
  on "$1" "exec timeout 10 bash -c 'exec 3<>/dev/tcp/$address/$port'" 2>/dev/null || result=1
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  return "$result"
}

check_ports() {
  local i=$1 name=${HOST_NAMES[$1]} first=${HOST_NAMES[0]} code=0
  if ! on 0 'command -v python3' >/dev/null || ! on "$i" 'command -v python3' >/dev/null; then
    skip "$name: ports are not tried, there is no python3 to listen with"
    return
  fi
  connects "$i" 0 "$MASTER_PORT" || code=$?
  case $code in
    0) good "$name: reaches $first port $MASTER_PORT" ;;
    1) bad "$name: does not reach $first port $MASTER_PORT" "open it inside the subnet (security list and the node's firewall)" ;;
    *) bad "$first: port $MASTER_PORT is taken" "end the program that listens there, or set MASTER_PORT in settings.sh" ;;
  esac
  if [ "$i" = 0 ]; then return; fi
  if connects "$i" 0 0 && connects 0 "$i" 0; then
    good "$name: data sockets connect both ways"
  else
    bad "$name: a data socket on a free port does not connect" \
      "Gloo, NCCL and MPI choose their ports: allow all TCP inside the subnet"
  fi
}

for i in "${!HOST_NAMES[@]}"; do
  before=$failures
  check_node "$i"
  if [ "$failures" = "$before" ]; then check_ports "$i"; fi
done
if [ "$failures" != 0 ]; then fail "$failures checks failed"; fi
printf 'all %s nodes are ready for %s ranks\n' "${#HOST_NAMES[@]}" "$WORLD_SIZE"
