#!/usr/bin/env bash
# Installs what is missing, builds, and passes every test, without network, GPU or display.
# LOCKSTEP_PRESET chooses another preset (dev, werror, asan, tsan); arguments go to ctest, e.g. ./test.sh -R plan
# Tests that left themselves out are listed; those not in tests/expected_skips.txt are failures.
set -euo pipefail
cd "$(dirname "$0")"
. packaging/common.sh

preset=${LOCKSTEP_PRESET:-release}
install_missing build run test
fetch_contract_sdk
build "$preset" all
say "Testing ($preset)"
status=0
ctest --preset "$preset" --parallel "$(nproc)" "$@" || status=$?
say "What was skipped ($preset)"
tests/check_skips.sh "build/$preset" || status=1
exit "$status"
