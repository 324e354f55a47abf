#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures lockstep-trainer beside Python's DistributedDataParallel on two ranks: the guide's network and ResNet-18, in
# float and in bfloat16, against Python as the guide runs it and tuned alike, and what metrics cost. Every entry takes
# turns with the others, so that a change of the machine's mood hits all of them.
#
#   trainer_vs_python.sh TRAINER PEER_SCRIPT [ROUNDS] [STEPS] [TABLE…]
#
# TRAINER      build/release/bin/lockstep-trainer
# PEER_SCRIPT  a script that trains the same networks as `PEER_SCRIPT train …` and runs entries in turns as
#              `PEER_SCRIPT compare --a "name=arguments of train" --b "name=command" …` (see README.md)
# ROUNDS       5: of each entry; STEPS 200: of the guide's network, a tenth of it for ResNet-18
# TABLE        net resnet metrics: which of them; default all
# PYTHON       (environment) the Python that has torch; default /usr/bin/python3
# GATE         (environment) a probe of the machine's state and GATE_MIN what it must reach (see README.md)
set -euo pipefail
if [ $# -lt 2 ]; then
  sed -n '3,17s/^# \{0,1\}//p' "$0"
  exit 2
fi
trainer=$(realpath "$1")
peer=$(realpath "$2")
rounds=${3:-5}
steps=${4:-200}
tables=${*:5}
tables=${tables:-net resnet metrics}
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gate=()
if [ -n "${GATE:-}" ]; then gate=(--gate "$GATE" --gate-min "${GATE_MIN:?}"); fi

# What lockstep-trainer does by itself, for Python: blocks stay with the process, images lie channel-last.
keep="@MALLOC_MMAP_THRESHOLD_=1073741824,MALLOC_TRIM_THRESHOLD_=2147483647,MALLOC_TOP_PAD_=67108864@"

# compare TITLE PEER_ARGUMENTS TRAINER_ARGUMENTS: one table of all six entries.
compare() {
  echo "== $1 =="
  "$python" "$peer" compare --rounds "$rounds" --nproc 2 --python "$python" "${gate[@]}" \
    --a "python=--data fixed $2" \
    --a "python-tuned=$keep --data fixed --channels-last $2" \
    --a "python-tuned-bf16=$keep --data fixed --channels-last --bf16 $2" \
    --b "lockstep=$trainer --no-metrics $3" \
    --b "lockstep-gloo=$trainer --no-metrics --no-shared-memory $3" \
    --b "lockstep-bf16=$trainer --no-metrics --precision bf16 $3"
}

sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^/machine: /'
echo "ratio: to Python as the guide runs it, in float; n, median, least and most of $rounds rounds in turns"
for table in $tables; do
  case $table in
    net)
      compare "2 ranks, the guide's network, batch 16 per rank, one fixed batch" \
        "--batch 16 --steps $steps --warmup 20" "--bench $steps --batch-size 16"
      ;;
    resnet)
      few=$((steps / 10))
      compare "2 ranks, ResNet-18 for 32 x 32 pixels, batch 64 per rank, one fixed batch" \
        "--model resnet18 --batch 64 --steps $few --warmup 3" "--bench $few --warm-up 3 --model resnet18 --batch-size 64"
      ;;
    metrics)
      echo "== what metrics cost: lockstep-trainer without and with them, into a folder =="
      "$python" "$peer" compare --rounds "$rounds" --nproc 2 --python "$python" --launcher direct "${gate[@]}" \
        --a "python=--data fixed --batch 16 --steps 1 --warmup 1" \
        --b "without=$trainer --bench $steps --batch-size 16 --no-metrics" \
        --b "with=$trainer --bench $steps --batch-size 16 --work-dir file://$work/metrics --job-id bench"
      ;;
    *)
      echo "no table '$table': net, resnet or metrics" >&2
      exit 2
      ;;
  esac
done
