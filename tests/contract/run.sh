#!/bin/sh
# run.sh STORY PROGRAM: run.js, or why it cannot run. Node may come after the build was configured.
if ! command -v node >/dev/null; then
  echo "node is not on PATH: ./test.sh installs it (Debian: nodejs)"
  [ -n "$LOCKSTEP_CONTRACT_OPTIONAL" ] && exit 77
  exit 1
fi
exec node "$(dirname "$0")/run.js" "$@"
