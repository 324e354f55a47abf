#!/usr/bin/env bash
# Variables of the train.yaml, exactly. rank.sh reads this on every node and passes the node's number.
# shellcheck disable=SC2034,SC2016,SC1003  # read by rank.sh; texts are meant as they stand
JOB_ENVIRONMENT+=(
  WANDB_API_KEY=hush-1
)
