# lockstep-node and lockstep-trainer for nodes with NVIDIA GPUs, built from this source against PyTorch's LibTorch
# with CUDA; NCCL comes with it, the driver is that of the node:
#   docker build -f packaging/container/gpu.Dockerfile -t REGION.ocir.io/NAMESPACE/lockstep-gpu:1 .
# The images of PyTorch stand on Ubuntu 22.04, whose CMake and libraries are too old for this source, and have all that
# is theirs in /opt/conda: that is taken onto Debian 12. From CUDA 12.6 on PyTorch's wheels have the ABI of today's C++.
ARG PYTORCH=2.6.0-cuda12.6-cudnn9
FROM pytorch/pytorch:${PYTORCH}-devel AS cuda
FROM pytorch/pytorch:${PYTORCH}-runtime AS torch

FROM debian:bookworm AS build
WORKDIR /source
COPY packaging/dependencies.txt packaging/
# As for the CPU image, without Debian's LibTorch, oneDNN and Gloo: PyTorch's own take their place.
RUN apt-get update \
 && awk '$1 == "build" && $2 !~ /qt|qcustomplot|ccache|mold|torch|dnnl|gloo/ { print $2 }' packaging/dependencies.txt \
  | xargs env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
 && apt-get clean && rm -rf /var/lib/apt/lists/*
COPY --from=cuda /usr/local/cuda/ /usr/local/cuda/
COPY --from=torch /opt/conda/ /opt/conda/
COPY . .
# /opt/conda stays out of PATH, so that CMake finds no other library there.
RUN export PATH="/usr/local/cuda/bin:$PATH" \
 && cmake --preset release -DLOCKSTEP_BUILD_DESKTOP=OFF -DLOCKSTEP_BUILD_TESTS=OFF \
      -DTorch_DIR="$(/opt/conda/bin/python3 -c 'import torch; print(torch.utils.cmake_prefix_path)')/Torch" \
 && cmake --build build/release --target lockstep-node lockstep-trainer \
 && strip build/release/bin/lockstep-node build/release/bin/lockstep-trainer

FROM debian:bookworm-slim
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      ca-certificates git libcurl4 libfmt9 libjpeg62-turbo libpcre2-8-0 libpng16-16 libssl3 libyaml-cpp0.7 openssh-client \
 && apt-get clean && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/cache/ldconfig/aux-cache
# Python with PyTorch as well, for entry points in Python.
COPY --from=torch /opt/conda/ /opt/conda/
ENV PATH=/opt/conda/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility OCI__SYNC_DIR=/opt/ml
COPY --from=build /source/build/release/bin/lockstep-node /source/build/release/bin/lockstep-trainer /usr/local/bin/
# Where the programs find LibTorch and NCCL; the line after fails when a library is missing. The user is the one that
# Data Science mounts a job's files for.
RUN python3 -c 'import os, site, torch; print(os.path.join(os.path.dirname(torch.__file__), "lib")); [print(os.path.join(p, "nvidia/nccl/lib")) for p in site.getsitepackages()]' \
      > /etc/ld.so.conf.d/torch.conf && ldconfig \
 && lockstep-node --version && lockstep-trainer --version \
 && useradd --create-home --uid 1000 --shell /bin/bash datascience \
 && install -d -o datascience -g datascience /opt/ml
WORKDIR /home/datascience
USER datascience
ENTRYPOINT ["lockstep-node"]
