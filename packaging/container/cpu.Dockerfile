# lockstep-node and lockstep-trainer for nodes without GPUs, built from this source:
#   docker build -f packaging/container/cpu.Dockerfile -t REGION.ocir.io/NAMESPACE/lockstep-cpu:1 .
FROM debian:bookworm AS build
WORKDIR /source
COPY packaging/dependencies.txt packaging/
RUN apt-get update \
 && awk '$1 == "build" && $2 !~ /qt|qcustomplot|ccache|mold/ { print $2 }' packaging/dependencies.txt \
  | xargs env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
 && apt-get clean && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cmake --preset release -DLOCKSTEP_BUILD_DESKTOP=OFF -DLOCKSTEP_BUILD_TESTS=OFF \
 && cmake --build build/release --target lockstep-node lockstep-trainer \
 && strip build/release/bin/lockstep-node build/release/bin/lockstep-trainer

FROM debian:bookworm-slim
# What the two programs are linked to. git and ssh fetch the code of `type: git`.
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      ca-certificates git libcurl4 libdnnl2 libfmt9 libgloo0 libjpeg62-turbo libpcre2-8-0 libpng16-16 libssl3 \
      libtorch1.13 libyaml-cpp0.7 openssh-client python3 \
 && apt-get clean && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/cache/ldconfig/aux-cache
COPY --from=build /source/build/release/bin/lockstep-node /source/build/release/bin/lockstep-trainer /usr/local/bin/
# As the user that Data Science mounts a job's files for; nothing here needs root. The first line fails when a
# library is missing.
RUN lockstep-node --version && lockstep-trainer --version \
 && useradd --create-home --uid 1000 --shell /bin/bash datascience \
 && install -d -o datascience -g datascience /opt/ml
ENV OCI__SYNC_DIR=/opt/ml
WORKDIR /home/datascience
USER datascience
ENTRYPOINT ["lockstep-node"]
