#!/usr/bin/env bash
# Variables of the train.yaml, exactly. rank.sh reads this on every node and passes the node's number.
# shellcheck disable=SC2034,SC2016,SC1003  # read by rank.sh; texts are meant as they stand
JOB_ENVIRONMENT+=(
  NCCL_DEBUG=INFO
  OCI__WORK_DIR=oci://dt-bucket@mytenancy/clusters
  OCI__EPHEMERAL=None
  OCI__CLUSTER_TYPE=PYTORCH
  OCI__WORKER_COUNT=3
  OCI__START_ARGS=
  OCI__ENTRY_SCRIPT=train.py
  'OCI__ENTRY_SCRIPT_ARGS=--epochs 10 --note '\''two words'\'''
  OMP_NUM_THREADS=8
)
# main
if (($1 >= 0 && $1 <= 0)); then
  NODE_ENVIRONMENT+=(
    ROLE_NOTE=chief
    OCI__MODE=MAIN
  )
fi
# worker-0 to worker-2
if (($1 >= 1 && $1 <= 3)); then
  NODE_ENVIRONMENT+=(
    OCI__MODE=WORKER
  )
fi
