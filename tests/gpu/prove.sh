#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the trainer out of the archive of pack.sh against the LibTorch of this machine's Python, passes its tests, and
# measures it beside PyTorch's eager DistributedDataParallel: ResNet-50 and GPT-2 124M in bfloat16, on one GPU, and on two
# where there are two. Needs no network: a Python with PyTorch, a C++20 compiler, CMake 3.20, ninja or make. Without a GPU
# it does the same on the processor with tiny sizes, which proves that it works and says nothing about speed.
#   tests/gpu/prove.sh [ARCHIVE]    build/gpu/lockstep-trainer.tar.gz; takes less than ten minutes on 16 cores
# PYTHON   (environment) the Python that has torch; default python3
# OUT      (environment) folder for results: summary.txt, bench.json, bench.txt, build.log, tests.log; default
#          build/gpu/results
# PROVE_WORK     folder to build in, where a later run builds again only what has changed; default: a temporary one that
#          is removed at the end
# PROVE_SECONDS  580: all of it; what is left after building and tests goes to the rounds of the benchmark
# PROVE_ROUNDS   5: rounds of the benchmark at most
# PROVE_JOBS     as many as cores
# PROVE_DEVICE   auto: a GPU where there is one; cpu
# PROVE_TARGETS, PROVE_TESTS, PROVE_TYPE   what to build (all), which tests to run (an expression of ctest), and the build
#          type (Release), to look at a part only
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
archive=${1:-$root/build/gpu/lockstep-trainer.tar.gz}
python=${PYTHON:-python3}
out=${OUT:-$root/build/gpu/results}
jobs=${PROVE_JOBS:-$(nproc)}
begin=$SECONDS
limit=${PROVE_SECONDS:-580}
worst=0
# What torch_facts.py says.
torch_version='' torch_cuda='' torch_include='' torch_lib='' cuda_include='' cuda_lib='' cuda_runtime=''
gpus=0 gpu_name='' nccl=''

fail() {
  echo "error: $1; $2" >&2
  exit 1
}

stage() {
  echo "== $((SECONDS - begin)) s: $1" | tee -a "$out/summary.txt"
}

# What is left of the time, and N seconds less; at least 1.
left() {
  local rest=$((limit - (SECONDS - begin) - $1))
  echo $((rest > 1 ? rest : 1))
}

newer() { # newer A B: whether version A is at least B
  [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -1)" = "$2" ]
}

check_tools() {
  command -v "$python" >/dev/null || fail "there is no '$python'" "name the Python that has torch in PYTHON"
  if ! command -v cmake >/dev/null; then
    PATH=$("$python" -c 'import cmake; print(cmake.CMAKE_BIN_DIR)' 2>/dev/null || true):$PATH
    command -v cmake >/dev/null || fail "there is no cmake" "install CMake 3.20 or later (Python has it as a package, too)"
  fi
  newer "$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')" 3.20 \
    || fail "cmake is too old: $(cmake --version | head -1)" "install CMake 3.20 or later"
  generator="Unix Makefiles"
  if command -v ninja >/dev/null; then
    generator=Ninja
  else
    command -v make >/dev/null || fail "there is neither ninja nor make" "install one of them"
  fi
  compiler=${CXX:-g++}
  command -v "$compiler" >/dev/null || fail "there is no compiler '$compiler'" "install g++ 12 or later, or name one in CXX"
  printf '#include <span>\n#include <stop_token>\nint main() { std::stop_token t; return int(std::span<int>().size()); }\n' \
    | "$compiler" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null \
    || fail "'$compiler' does not know C++20 ($("$compiler" --version | head -1))" "install g++ 12 or later, or name one in CXX"
}

unpack() {
  local new=$work/unpacked
  source=$work/lockstep-trainer
  [ -r "$archive" ] || fail "'$archive' is missing" "make it with tests/gpu/pack.sh on a machine that builds Lockstep"
  rm -rf "$new"
  mkdir "$new"
  # As new as this moment; but what PROVE_WORK has already, and is the same, stays as old as it is: the rest is built again.
  tar -xmzf "$archive" -C "$new" || fail "'$archive' cannot be unpacked" "pack it again with tests/gpu/pack.sh"
  # shellcheck disable=SC2016
  (cd "$new/lockstep-trainer" && find . -type f -exec sh -c \
    'old=$1; shift; for file; do ! cmp -s "$file" "$old/$file" || touch -r "$old/$file" "$file"; done' sh "$source" {} +)
  rm -rf "$source"
  mv "$new/lockstep-trainer" "$source"
  rmdir "$new"
}

needed() {
  awk -v name="$1" '$1 == name { print $2 }' "$source/third/needs.txt"
}

# The packed libraries are shared objects of another machine.
check_libraries() {
  local machine glibc glibcxx own library
  machine=$(needed machine) glibc=$(needed glibc) glibcxx=$(needed glibcxx)
  [ "$(uname -m)" = "$machine" ] || fail "the archive is for $machine, and this is $(uname -m)" "pack it on such a machine"
  own=$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)
  newer "$own" "$glibc" || fail "the packed libraries need glibc $glibc, and here is $own" "pack it on an older system"
  library=$("$compiler" -print-file-name=libstdc++.so.6)
  own=$(grep -ao 'GLIBCXX_3\.4\.[0-9]*' "$library" | sort -uV | tail -1)
  newer "${own#GLIBCXX_}" "$glibcxx" \
    || fail "the packed libraries need GLIBCXX_$glibcxx, and $library ends with $own" "install g++ 12 or later"
}

look_at_torch() {
  local facts torch_abi='' cuda_missing=''
  facts=$("$python" "$here/torch_facts.py") || fail "'$python' has no usable torch" "name the Python that has it in PYTHON"
  eval "$facts"
  [ "$torch_abi" = 1 ] || fail "this torch $torch_version has the C++ ABI of before 2015, and the packed libraries have today's" \
    "install a PyTorch of 2.6 for CUDA 12.6 or later"
  [ -e "${torch_include%%;*}/ATen/ATen.h" ] || fail "torch $torch_version has no headers in ${torch_include%%;*}" \
    "install PyTorch's wheel, or Debian's libtorch-dev"
  [ -e "$torch_lib/libtorch_cpu.so" ] || fail "torch $torch_version has no libtorch_cpu.so in $torch_lib" "install PyTorch's wheel"
  if [ -n "$torch_cuda" ] && [ -n "$cuda_missing" ]; then
    fail "torch $torch_version is for CUDA $torch_cuda, of which this is nowhere: $cuda_missing" \
      "install the CUDA toolkit, or name its folder in CUDA_HOME"
  fi
  check_cuda_headers
  device=cpu
  if [ "${PROVE_DEVICE:-auto}" != cpu ] && [ "$gpus" -gt 0 ]; then device=cuda; fi
}

# A header that is nowhere costs seconds here, and minutes in the middle of the build.
check_cuda_headers() {
  [ -n "$torch_cuda" ] || return 0
  local folders=() folder said
  while read -r folder; do folders+=(-isystem "$folder"); done < <(tr ';' '\n' <<<"$torch_include;$cuda_include")
  said=$(echo '#include <ATen/cuda/CUDAContext.h>' | "$compiler" -std=c++20 -x c++ -fsyntax-only "${folders[@]}" - 2>&1) \
    || fail "torch's headers for CUDA cannot be compiled: $(grep -m 1 error <<<"$said")" \
      "install the toolkit of CUDA $torch_cuda, or name its folder in CUDA_HOME"
}

tell_machine() {
  {
    echo "memory: $(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)"
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ */processor: /'
    echo "python: $("$python" --version 2>&1), torch $torch_version, CUDA ${torch_cuda:-none}, NCCL ${nccl:-none}"
    echo "compiler: $("$compiler" --version | head -1)"
    echo "GPUs: $gpus $gpu_name"
    if [ "$device" = cpu ]; then
      echo "NOTE: no GPU is used: everything runs on the processor with tiny sizes; the numbers say nothing about speed"
    elif [ "$gpus" -lt 2 ]; then
      echo "NOTE: NCCL refuses two ranks on one GPU, so two ranks are not proven here"
    fi
  } | tee -a "$out/summary.txt"
}

build() {
  local cuda=() targets=() log=$out/build.log
  if [ -n "$torch_cuda" ]; then
    cuda=(-DLOCKSTEP_CUDA_INCLUDE="$cuda_include" -DLOCKSTEP_CUDA_LIB="$cuda_lib"
      -DLOCKSTEP_CUDA_RUNTIME="$cuda_runtime")
  fi
  cmake -S "$source" -B "$work/build" -G "$generator" -DCMAKE_BUILD_TYPE="${PROVE_TYPE:-Release}" -DCMAKE_CXX_COMPILER="$compiler" \
    -DLOCKSTEP_TORCH_INCLUDE="$torch_include" -DLOCKSTEP_TORCH_LIB="$torch_lib" "${cuda[@]}" >"$log" 2>&1 \
    || { tail -30 "$log" >&2; fail "CMake refuses" "see $log"; }
  read -ra targets <<<"${PROVE_TARGETS:-all}"
  cmake --build "$work/build" -j "$jobs" --target "${targets[@]}" >>"$log" 2>&1 \
    || { grep -aE -A5 'error|undefined reference|FAILED' "$log" | head -60 >&2; fail "it does not build" "see $log"; }
  "$work/build/bin/lockstep-trainer" --version | tee -a "$out/summary.txt"
}

# Tests that fail are told, and end it at last with status 1: what follows is worth having all the same.
run_tests() {
  local name=$1 seconds=$2
  shift 2
  if ! (cd "$work/build" && timeout "$seconds" env "$@" ctest -j "$jobs" --output-on-failure ${tests:+-R "$tests"}) \
    >"$out/$name.log" 2>&1; then
    worst=1
    echo "error: $name: tests failed or took more than $seconds s; see $out/$name.log" | tee -a "$out/summary.txt" >&2
    sed -n '/The following tests FAILED/,$p' "$out/$name.log" | head -30
  fi
  grep -aE 'tests passed|^\[  SKIPPED \] .*\.' "$out/$name.log" | sort | uniq -c | sort -rn | tee -a "$out/summary.txt" | head -40
}

# Where a program crashed: once more under a debugger, in the bare environment of the tests.
explain_crash() {
  local debugger
  grep -aqE 'SEGFAULT|Which is: 139' "$out/tests.log" || return 0
  debugger=$(command -v gdb || command -v cuda-gdb) || return 0
  env -i PATH="$PATH" OMP_NUM_THREADS=1 CUDA_VISIBLE_DEVICES='' timeout 60 "$debugger" -batch -ex run -ex 'bt 40' \
    -ex 'info registers' --args "$work/build/bin/lockstep-trainer" --bench 2 --batch-size 8 \
    >"$out/crash.txt" 2>&1 || true
  grep -aE '^#|SIG' "$out/crash.txt" | head -20 | tee -a "$out/summary.txt"
}

bench() {
  local ranks=(1)
  if [ "$device" = cpu ] || [ "$gpus" -gt 1 ]; then ranks=(1 2); fi
  if ! "$python" "$here/bench.py" --trainer "$work/build/bin/lockstep-trainer" --usage "$work/build/bin/gpu_usage" \
    --facts "$work/facts.json" --out "$out" --torch-version "$torch_version" --python "$python" --device "$device" \
    --ranks "${ranks[@]}" --rounds "${PROVE_ROUNDS:-5}" --seconds "$(left 10)"; then
    worst=1
    echo "error: the benchmark did not end" | tee -a "$out/summary.txt" >&2
  fi
  [ ! -e "$out/bench.txt" ] || cat "$out/bench.txt" >>"$out/summary.txt"
}

write_facts() {
  "$python" - "$work/facts.json" "$torch_version" "$torch_cuda" "$nccl" "$gpus" "$gpu_name" "$(nproc)" <<'EOF'
import json, sys
names = ("torch", "cuda", "nccl", "gpus", "gpu", "cores")
json.dump(dict(zip(names, sys.argv[2:])), open(sys.argv[1], "w", encoding="utf-8"))
EOF
}

case ${1:-} in
  -h | --help) sed -n '3,20s/^# \{0,1\}//p' "$0" && exit ;;
  -*) fail "there is no option '$1'" "see --help" ;;
esac
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -f "$out"/{summary.txt,bench.json,bench.txt,build.log,tests.log,gpu_tests.log,crash.txt}
if [ -n "${PROVE_WORK:-}" ]; then
  work=$PROVE_WORK
  mkdir -p "$work"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi

check_tools
look_at_torch
unpack
check_libraries
write_facts
tell_machine
stage "build against LibTorch $torch_version"
build
stage "tests, the GPU hidden"
tests=${PROVE_TESTS:-} run_tests tests "$(left 150)" CUDA_VISIBLE_DEVICES=
explain_crash
if [ "$device" = cuda ]; then
  stage "tests on the GPU"
  tests='^(device_test|trainer_process_test|torch_file_test)$' run_tests gpu_tests 120 LC_ALL=C
fi
stage "lockstep-trainer beside PyTorch's DistributedDataParallel, device $device"
bench
stage "done; results in $out"
exit $worst
