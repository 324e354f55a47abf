#!/usr/bin/env bash
# Builds KIT_IMAGE of settings.sh: BASE_IMAGE with ssh and Open MPI. On every node, or push it to your registry.
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
require_program docker docker
[ -n "$BASE_IMAGE" ] || fail "BASE_IMAGE is empty" "set it in settings.sh to the image that holds your training code"
docker build --build-arg "BASE_IMAGE=$BASE_IMAGE" --tag "$KIT_IMAGE" - <"$KIT/Dockerfile"
