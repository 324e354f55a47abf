#!/usr/bin/env bash
# Everything that may have to be changed, in one place. Every script of this kit reads it, on every
# node: after a change run ./copy-to-nodes.sh.
# shellcheck disable=SC2034,SC2016,SC1003  # read by the other scripts; texts are meant as they stand

# What every rank runs: a file below CODE_DIR (python3 runs a .py file), or a program on PATH.
ENTRY_POINT=/code/train.py

# Where the code lies on every node.
CODE_DIR=/code

# The arguments of the entry point.
ARGUMENTS=(--data-dir /code/data)

# The port on the first node at which the ranks meet.
MASTER_PORT=29400

# The port of this kit's own sshd on every node.
SSH_PORT=12346

# The network interface of every node; empty: the one that has the node's address in `hosts`.
INTERFACE=ens3

# Who logs in and trains; empty: whoever runs the scripts. In the containers: root.
NODE_USER=''

# Your own way to reach a node, for copy-to-nodes.sh only.
ADMIN_SSH=(ssh)

# The image that holds the training code; build-image.sh adds ssh and Open MPI to it.
BASE_IMAGE=iad.ocir.io/mytenancy/hvd:1

# The image that build-image.sh makes and start-container.sh starts.
KIT_IMAGE=hvd-mpi:latest

# 'all' for GPUs (needs the NVIDIA container toolkit), '' for CPUs.
GPUS=''

# Shared memory of a container: data loaders and NCCL need more than docker's 64 MB.
SHM_SIZE=8g

# Folders that the containers see, each as host:container or host:container:ro.
MOUNTS=()

# The mpirun of Open MPI when it is not on PATH, and options for it.
OPENMPI_PROGRAM=''
OPENMPI_OPTIONS=(--mca pml ob1 --mca btl '^openib')

# Options for mpiexec.hydra of Intel MPI or MPICH.
HYDRA_OPTIONS=()
