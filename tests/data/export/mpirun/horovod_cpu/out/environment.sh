#!/usr/bin/env bash
# Variables of the train.yaml, exactly. rank.sh reads this on every node and passes the node's number.
# shellcheck disable=SC2034,SC2016,SC1003  # read by rank.sh; texts are meant as they stand
JOB_ENVIRONMENT+=(
  WORKER_PORT=12346
  NCCL_SOCKET_IFNAME=ens3
  OCI__WORK_DIR=oci://dt-bucket@mytenancy/hvd
  OCI__EPHEMERAL=None
  OCI__CLUSTER_TYPE=HOROVOD
  OCI__WORKER_COUNT=1
  OCI__START_ARGS=
  OCI__ENTRY_SCRIPT=/code/train.py
  'OCI__ENTRY_SCRIPT_ARGS=--data-dir /code/data'
)
# main
if (($1 >= 0 && $1 <= 0)); then
  NODE_ENVIRONMENT+=(
    OCI__MODE=MAIN
  )
fi
# worker-0
if (($1 >= 1 && $1 <= 1)); then
  NODE_ENVIRONMENT+=(
    OCI__MODE=WORKER
  )
fi
