# shellcheck shell=bash disable=SC1003,SC2016,SC2034,SC2191
# What the train.yaml says; run-node.sh reads it.
LOCKSTEP_NAME=a-1-net
LOCKSTEP_NODES=3
LOCKSTEP_RANKS_PER_NODE=2
LOCKSTEP_MASTER_PORT=29400
LOCKSTEP_CODE_DIR=/code
LOCKSTEP_RDMA=no

# What node $1 (0: main) runs, and its environment as NAME=value.
lockstep_node() {
  LOCKSTEP_ENVIRONMENT=(
    NCCL_DEBUG=INFO
    'GREETING=it'\''s "$5" #1 ☕'
    WANDB_API_KEY="$LOCKSTEP_SECRET_WANDB_API_KEY"
    OCI__WORK_DIR=oci://bucket@space/clusters
    OCI__EPHEMERAL=None
    OCI__CLUSTER_TYPE=PYTORCH
    OCI__WORKER_COUNT=2
    OCI__START_ARGS=
    OCI__ENTRY_SCRIPT=train.py
    'OCI__ENTRY_SCRIPT_ARGS=--epochs 10 --name a b'
  )
  case $1 in
    0)
      LOCKSTEP_ENTRY=train.py
      LOCKSTEP_ARGUMENTS=(--epochs 10 --name a b)
      LOCKSTEP_ENVIRONMENT+=(
        OCI__MODE=MAIN
      )
      ;;
    *)
      LOCKSTEP_ENTRY=train.py
      LOCKSTEP_ARGUMENTS=(--epochs 10 --name a b)
      LOCKSTEP_ENVIRONMENT+=(
        ONLY_WORKERS=yes
        OCI__MODE=WORKER
      )
      ;;
  esac
}
