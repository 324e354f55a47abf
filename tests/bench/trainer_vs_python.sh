#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures lockstep-trainer beside Python's DistributedDataParallel, and what its metrics cost: every entry takes turns with
# the others, so that a change of the machine's mood hits all of them.
#
#   trainer_vs_python.sh TRAINER PEER_SCRIPT [ROUNDS] [STEPS]
#
# TRAINER      build/release/bin/lockstep-trainer
# PEER_SCRIPT  a script that trains the same network as `PEER_SCRIPT train …` and runs entries in turns as
#              `PEER_SCRIPT compare --a "name=arguments of train" --b "name=command" …` (see README.md)
# PYTHON       (environment) the Python that has torch; default /usr/bin/python3
set -euo pipefail
if [ $# -lt 2 ]; then
  sed -n '3,13s/^# \{0,1\}//p' "$0"
  exit 2
fi
trainer=$(realpath "$1")
peer=$(realpath "$2")
rounds=${3:-5}
steps=${4:-200}
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

common="--bench $steps --batch-size 16"
echo "== 2 ranks, batch 16 per rank, fixed batch, fp32: Python DDP and lockstep-trainer =="
"$python" "$peer" compare --rounds "$rounds" --nproc 2 --python "$python" \
  --a "python-ddp=--data fixed --batch 16 --steps $steps --warmup 20" \
  --b "lockstep=$trainer $common --no-metrics" \
  --b "lockstep-gloo=$trainer $common --no-metrics --no-shared-memory"

echo "== what metrics cost: lockstep-trainer without and with them, into a folder =="
"$python" "$peer" compare --rounds "$rounds" --nproc 2 --python "$python" --launcher direct \
  --a "python-ddp=--data fixed --batch 16 --steps 1 --warmup 1" \
  --b "without=$trainer $common --no-metrics" \
  --b "with=$trainer $common --work-dir file://$work/metrics --job-id bench"
