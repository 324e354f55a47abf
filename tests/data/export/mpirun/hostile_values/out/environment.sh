#!/usr/bin/env bash
# Variables of the train.yaml, exactly. rank.sh reads this on every node and passes the node's number.
# shellcheck disable=SC2034,SC2016,SC1003  # read by rank.sh; texts are meant as they stand
JOB_ENVIRONMENT+=(
  'BLANKS=  two  words  '
  'QUOTES=it'\''s "quoted"'
  'EXPANSIONS=$HOME `id` $(id) !! ~ *'
  'LINES=one
two

'
  'BACKSLASH=a\b\'
  'UNICODE=Größe 训练 🚀'
  EMPTY=
  BOOLEAN=True
  _EQUALS==x=
  OCI__WORK_DIR=oci://dt-bucket@mytenancy/hostile
  OCI__EPHEMERAL=None
  OCI__CLUSTER_TYPE=PYTORCH
  OCI__WORKER_COUNT=1
  OCI__START_ARGS=
  'OCI__ENTRY_SCRIPT=my train.py'
  'OCI__ENTRY_SCRIPT_ARGS=--text '\''a "b" $c'\'''
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
    'OWN=only; the | worker & more'
    OCI__MODE=WORKER
  )
fi
