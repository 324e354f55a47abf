# SPDX-License-Identifier: GPL-3.0-or-later
# What a machine is, one fact a line: its name, which programs it has, free kilobytes of the home folder, GPUs.
# shellcheck shell=sh disable=SC2034  # columns of df that nobody asks for have names, too
LC_ALL=C
export LC_ALL
echo "lockstep:name=$(uname -n)"
for program in python3 perl bash timeout nc; do
  if command -v "$program" >/dev/null 2>&1; then echo "lockstep:has=$program"; fi
done
df -Pk "${HOME:-/}" 2>/dev/null | { read -r line; read -r a b c free rest; echo "lockstep:free=$free"; }
if command -v nvidia-smi >/dev/null 2>&1; then
  said=$(nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader 2>&1 </dev/null)
  code=$?
  printf '%s\n' "$said" | while IFS= read -r line; do
    if [ "$code" = 0 ]; then printf 'lockstep:gpu=%s\n' "$line"; else printf 'lockstep:gpu-trouble=%s\n' "$line"; fi
  done
fi
