# lockstep-node and lockstep-trainer for nodes with NVIDIA GPUs, built from this source against PyTorch's LibTorch
# with CUDA; NCCL comes with it, the driver is that of the node:
#   docker build -f packaging/container/gpu.Dockerfile -t REGION.ocir.io/NAMESPACE/lockstep-gpu:1 .
ARG PYTORCH=2.6.0-cuda12.6-cudnn9
FROM pytorch/pytorch:${PYTORCH}-devel AS build
WORKDIR /source
COPY packaging/dependencies.txt packaging/common.sh packaging/
# As for the CPU image, without Debian's LibTorch and Gloo: PyTorch's own take their place.
RUN apt-get update \
 && awk '$1 == "build" && $2 !~ /qt|qcustomplot|ccache|mold|torch|gloo|dnnl/ { print $2 }' packaging/dependencies.txt \
  | xargs env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
 && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cmake --preset release -DLOCKSTEP_BUILD_DESKTOP=OFF -DLOCKSTEP_BUILD_TESTS=OFF \
      -DCMAKE_PREFIX_PATH="$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)')" \
 && cmake --build build/release --target lockstep-node lockstep-trainer \
 && strip build/release/bin/lockstep-node build/release/bin/lockstep-trainer

FROM pytorch/pytorch:${PYTORCH}-runtime
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      ca-certificates git libcurl4 libfmt8 libjpeg-turbo8 libpng16-16 libssl3 libyaml-0-2 openssh-client \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /source/build/release/bin/lockstep-node /source/build/release/bin/lockstep-trainer /usr/local/bin/
# Where the programs find LibTorch and NCCL.
RUN python3 -c 'import os, site, torch; print(os.path.join(os.path.dirname(torch.__file__), "lib")); [print(os.path.join(p, "nvidia/nccl/lib")) for p in site.getsitepackages()]' \
      > /etc/ld.so.conf.d/torch.conf && ldconfig
ENV OCI__SYNC_DIR=/opt/ml
ENTRYPOINT ["lockstep-node"]
