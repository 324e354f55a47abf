# SPDX-License-Identifier: GPL-3.0-or-later
# As listen.py, but at $port alone and without a greeting: whoever answers counts.
# shellcheck shell=sh disable=SC2154  # whoever sends it sets port and seconds before it
timeout "$seconds" nc -lk "$port" >/dev/null 2>&1 </dev/null &
child=$!
sleep 0.3
if kill -0 "$child" 2>/dev/null; then
  echo "lockstep:process=$child"
  echo "lockstep:mute=1"
else
  echo "lockstep:trouble=nc could not listen there"
fi
