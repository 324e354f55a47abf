# shellcheck shell=bash
# Shared by run.sh and test.sh: says what it does, installs what is missing, configures and builds.
# Sourced, not run. Expects to be in the project's root.

say() { printf '\033[1m==> %s\033[0m\n' "$*" >&2; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# install_missing STAGE… : the packages of these stages that this machine lacks, through apt-get.
install_missing() {
  command -v dpkg-query >/dev/null || fail "this script installs Debian packages; on another system install what packaging/dependencies.txt lists and use cmake --preset release"
  local stages=" $* " wanted=() missing=() stage package rest
  while read -r stage package rest; do
    case "$stage" in '' | '#'*) continue ;; esac
    [[ $stages == *" $stage "* ]] && wanted+=("$package")
  done < packaging/dependencies.txt
  local installed
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true)
  for package in "${wanted[@]}"; do
    grep -qx "$package installed" <<<"$installed" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "missing packages: ${missing[*]}
  run as root, or install sudo, or: apt-get install ${missing[*]}"
    sudo=(sudo)
  fi
  say "Installing ${#missing[@]} packages: ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# fetch_contract_sdk : Oracle's SDK, pinned with integrity in tests/contract/package-lock.json, into build/contract, where
# the tests find it. Only what changed is fetched again; what follows needs no network.
fetch_contract_sdk() {
  local folder=build/contract lock
  lock=$(sha256sum < tests/contract/package-lock.json)
  [ "$(cat "$folder/fetched" 2>/dev/null)" = "$lock" ] && return 0
  command -v npm >/dev/null || install_missing contract
  say "Fetching Oracle's SDK for the contract test into $folder"
  mkdir -p "$folder"
  cp tests/contract/package.json tests/contract/package-lock.json "$folder/"
  if (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2); then
    printf '%s\n' "$lock" > "$folder/fetched"
  elif [ -n "${LOCKSTEP_CONTRACT_OPTIONAL:-}" ]; then
    say "Oracle's SDK could not be fetched: the contract test will be skipped (LOCKSTEP_CONTRACT_OPTIONAL)"
  else
    fail "Oracle's SDK could not be fetched from the npm registry; LOCKSTEP_CONTRACT_OPTIONAL=1 skips its test"
  fi
}

# set_sanitizers : what sanitized programs do about what they find. A data race that no test notices is an error all the
# same, and so is undefined behaviour that goes on. Qt is not built for the thread sanitizer, and LibTorch leaks:
# tests/tsan.supp, tests/lsan.supp.
set_sanitizers() {
  export TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp halt_on_error=0 exitcode=66 second_deadlock_stack=1 die_after_fork=0${TSAN_OPTIONS:+ $TSAN_OPTIONS}"
  export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp print_suppressions=0${LSAN_OPTIONS:+ $LSAN_OPTIONS}"
  export UBSAN_OPTIONS="print_stacktrace=1 halt_on_error=1${UBSAN_OPTIONS:+ $UBSAN_OPTIONS}"
}

# build PRESET TARGET… : configures when needed and builds; Ninja shows [done/all] as it goes.
build() {
  local preset=$1 folder=build/$1
  shift
  # Object files do not depend on where the checkout lies, so another checkout's cache is as good as ours.
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  if [ ! -f "$folder/build.ninja" ]; then
    say "Configuring ($preset)"
    mkdir -p build
    cmake --preset "$preset" >"$folder.configure.log" 2>&1 || { cat "$folder.configure.log" >&2; fail "cmake could not configure $preset"; }
  fi
  say "Building ($preset) into $folder/bin"
  cmake --build "$folder" --target "$@" --parallel "$(nproc)" >&2
}
