#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures lockstep-trainer beside Python's DistributedDataParallel on two ranks: the guide's network and ResNet-18, in
# float and in bfloat16, against Python as the guide runs it and tuned alike, and what metrics cost. Every entry takes
# turns with the others, so that a change of the machine's mood hits all of them. At the end stands every ratio beside
# its aim; the exit status is 1 when one falls short.
#
#   trainer_vs_python.sh TRAINER PEER_SCRIPT [ROUNDS] [STEPS] [TABLE…]
#
# TRAINER      build/release/bin/lockstep-trainer
# PEER_SCRIPT  a script that trains the same networks as `PEER_SCRIPT train …` and runs entries in turns as
#              `PEER_SCRIPT compare --a "name=arguments of train" --b "name=command" …` (see README.md)
# ROUNDS       5: of each entry; STEPS 200: of the guide's network, a tenth of it for ResNet-18
# TABLE        net resnet metrics: which of them; default all
# PYTHON       (environment) the Python that has torch; default /usr/bin/python3
# PEER_BLAS    (environment) folder with a libblas.so.3, say OpenBLAS's, for the Python that is tuned alike
# GATE         (environment) a probe of the machine's state and GATE_MIN what it must reach (see README.md)
set -euo pipefail
if [ $# -lt 2 ]; then
  sed -n '3,19s/^# \{0,1\}//p' "$0"
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

# What lockstep-trainer does by itself, for Python: blocks stay with the process, images lie channel-last, a BLAS that is
# no reference.
keep="MALLOC_MMAP_THRESHOLD_=1073741824,MALLOC_TRIM_THRESHOLD_=2147483647,MALLOC_TOP_PAD_=67108864"
if [ -n "${PEER_BLAS:-}" ]; then keep="$keep,LD_LIBRARY_PATH=$(realpath "$PEER_BLAS")"; fi
keep="@$keep@"

# compare TABLE TITLE PEER_ARGUMENTS TRAINER_ARGUMENTS: one table of all six entries.
compare() {
  echo "== $1: $2 =="
  "$python" "$peer" compare --rounds "$rounds" --nproc 2 --python "$python" "${gate[@]}" \
    --a "python=--data fixed $3" \
    --a "python-tuned=$keep --data fixed --channels-last $3" \
    --a "python-tuned-bf16=$keep --data fixed --channels-last --bf16 $3" \
    --b "lockstep=$trainer --no-metrics $4" \
    --b "lockstep-gloo=$trainer --no-metrics --no-shared-memory $4" \
    --b "lockstep-bf16=$trainer --no-metrics --precision bf16 $4"
}


# Reads what all tables printed, and prints what is asked of the trainer beside what was measured.
ratios() {
  awk '
    function put(what, measured, aim, atMost) {
      if (measured == "") return
      good = atMost ? measured <= aim : measured >= aim
      if (!good) short = 1
      printf "%-58s %8.3f   %s %-6g %s\n", what, measured, atMost ? "<=" : ">=", aim, good ? "reached" : "NOT REACHED"
    }
    function over(table, a, b) { return (table, a) in rate && (table, b) in rate ? rate[table, a] / rate[table, b] : "" }
    /^== / { table = $2; sub(/:$/, "", table) }
    $2 ~ /^[0-9]+$/ && NF >= 10 {
      rate[table, $1] = $3; memory[table, $1] = $8; start[table, $1] = $10; step[table, $1] = $7
      for (i = 11; i <= NF; ++i) if (split($i, part, "=") == 2) time[table, $1, part[1]] = part[2]
    }
    END {
      put("net fp32 / Python as the guide runs it", over("net", "lockstep", "python"), 2.3)
      put("net fp32 / Python tuned alike", over("net", "lockstep", "python-tuned"), 1.4)
      put("net fp32 over Gloo / Python tuned alike", over("net", "lockstep-gloo", "python-tuned"), 1.0)
      put("net bf16 / Python as the guide runs it", over("net", "lockstep-bf16", "python"), 3.6)
      put("net bf16 / Python tuned alike, bf16", over("net", "lockstep-bf16", "python-tuned-bf16"), 1.5)
      if (("net", "python") in start) {
        put("net, start to first step: sooner by", start["net", "python"] / start["net", "lockstep"], 3.3)
        put("net, resident memory of a rank", memory["net", "lockstep"] / memory["net", "python"], 0.75, 1)
        put("net, part of the step that waits for peers", time["net", "lockstep", "wait"] / step["net", "lockstep"], 0.01, 1)
      }
      put("ResNet-18 fp32 / Python as the guide runs it", over("resnet", "lockstep", "python"), 1.08)
      put("ResNet-18 fp32 / Python tuned alike", over("resnet", "lockstep", "python-tuned"), 1.0)
      put("ResNet-18 bf16 / Python as the guide runs it", over("resnet", "lockstep-bf16", "python"), 1.95)
      put("ResNet-18 bf16 / Python tuned alike, bf16", over("resnet", "lockstep-bf16", "python-tuned-bf16"), 1.0)
      # Throughput says it within a few percent only; the processor time that recording takes says it exactly, where every
      # core has a rank to compute.
      if (("metrics", "with") in step)
        put("metrics: processor time, part of the step", (time["metrics", "with", "record"] + \
          time["metrics", "with", "others"] - time["metrics", "without", "others"]) / step["metrics", "without"], 0.005, 1)
      exit short
    }' "$1"
}

sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^/machine: /'
echo "ratio: to Python as the guide runs it, in float; n, median, least and most of $rounds rounds in turns"
{
  for table in $tables; do
    case $table in
      net)
        compare net "2 ranks, the guide's network, batch 16 per rank, one fixed batch" \
          "--batch 16 --steps $steps --warmup 20" "--bench $steps --batch-size 16"
        ;;
      resnet)
        few=$((steps / 10))
        compare resnet "2 ranks, ResNet-18 for 32 x 32 pixels, batch 64 per rank, one fixed batch" \
          "--model resnet18 --batch 64 --steps $few --warmup 3" "--bench $few --warm-up 3 --model resnet18 --batch-size 64"
        ;;
      metrics)
        echo "== metrics: what they cost, lockstep-trainer without and with them, into a folder =="
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
} | tee "$work/tables"
echo "== the aims =="
ratios "$work/tables"
