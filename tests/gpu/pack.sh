#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs what the trainer and its tests are built from into one archive: sources, and of the libraries that they need the
# headers and the shared objects of this machine. prove.sh builds and proves it on another machine, one with GPUs and
# without network or packages of ours. Needs no network itself.
#   tests/gpu/pack.sh [ARCHIVE]        build/gpu/lockstep-trainer.tar.gz
#   tests/gpu/pack.sh --list           what would be in it, and packs nothing
set -euo pipefail
cd "$(dirname "$0")/../.."

most_megabytes=64
rooms=(base cluster health http metrics oci pattern workdir yaml)
# Targets of CMake, each with the names of its libraries; none: headers only.
libraries='
fmt::fmt fmt
tl::expected
nlohmann_json::nlohmann_json
CLI11::CLI11
OpenSSL::Crypto crypto
CURL::libcurl curl
PkgConfig::LIBYAML yaml
PkgConfig::YAML_CPP yaml-cpp
PkgConfig::PCRE2 pcre2-8
PkgConfig::HTTPLIB cpp-httplib ssl crypto
JPEG::JPEG jpeg
PNG::PNG png z
'
headers=(fmt tl nlohmann CLI openssl curl yaml.h yaml-cpp pcre2.h httplib.h brotli jpeglib.h jconfig.h jmorecfg.h jerror.h png.h
         pngconf.h pnglibconf.h zlib.h zconf.h)
googletest=/usr/src/googletest/googletest

fail() {
  echo "error: $1; ${2:-"./test.sh installs what packaging/dependencies.txt lists"}" >&2
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/lockstep-trainer
third=$tree/third

sources() {
  printf '%s\n' CMakeLists.txt LICENSE cmake/EmbedFiles.cmake cmake/PrecompiledHeaders.cmake cmake/ProjectOptions.cmake \
    resources/shapes.json \
    resources/node/dask_gather.py resources/python/lockstep.py resources/starter/node/node.py
  find "${rooms[@]/#/core/}" trainer tests/trainer tests/support tests/core/oci/oci_test_support.h tests/data/tokens \
    tests/data/signing tests/gpu -type f ! -name '*.pyc'
}

copy_sources() {
  local file
  while read -r file; do
    [ -r "$file" ] || fail "'$file' is missing" "take it back from git"
    install -D -m "$([ -x "$file" ] && echo 755 || echo 644)" "$file" "$tree/$file"
  done < <(sources)
  sed -n 's/^project(lockstep VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt >"$tree/version.txt"
  [ -s "$tree/version.txt" ] || fail "CMakeLists.txt names no version" "look at its line project(lockstep VERSION …"
  cp tests/gpu/archive.cmake "$tree/CMakeLists.txt"
}

copy_headers() {
  local machine name found
  machine=$(g++ -print-multiarch)
  mkdir -p "$third/include"
  for name in "${headers[@]}"; do
    found=
    for folder in /usr/include "/usr/include/$machine"; do
      [ -e "$folder/$name" ] || continue
      cp -rL "$folder/$name" "$third/include/"
      found=1
    done
    [ -n "$found" ] || fail "the headers '$name' are not installed"
  done
  [ -r $googletest/src/gtest-all.cc ] || fail "the sources of GoogleTest are not in $googletest"
  mkdir -p "$third/googletest"
  cp -r $googletest/src $googletest/include "$third/googletest/"
}

# What a library loads, but for what belongs to every machine's C and C++.
needed_by() {
  ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' \
    | grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so'
}

copy_libraries() {
  local target names name file soname
  mkdir -p "$third/lib"
  while read -r target names; do
    [ -n "$target" ] || continue
    local files=()
    for name in $names; do
      file=$(g++ -print-file-name="lib$name.so")
      [ -r "$file" ] || fail "lib$name.so is not installed"
      soname=$(objdump -p "$file" | awk '$1 == "SONAME" { print $2 }')
      files+=("$soname")
      install -m 644 "$(readlink -f "$file")" "$third/lib/$soname"
      while read -r file; do install -m 644 "$(readlink -f "$file")" "$third/lib/$(basename "$file")"; done \
        < <(needed_by "$file")
    done
    echo "packed_library($target ${files[*]:-})" >>"$third/libraries.cmake"
  done <<<"$libraries"
  echo "target_compile_options(PkgConfig::HTTPLIB INTERFACE $(pkg-config --cflags-only-other cpp-httplib))" \
    >>"$third/libraries.cmake"
}

# The newest GLIBC_ or GLIBCXX_ version that a packed library asks for.
newest() {
  objdump -T "$third"/lib/* | grep -o "\b$1_[0-9.]*" | sort -uV | tail -1 | sed "s/$1_//"
}

pack() {
  local archive=$1 bytes
  mkdir -p "$(dirname "$archive")"
  printf 'machine %s\nglibc %s\nglibcxx %s\n' "$(uname -m)" "$(newest GLIBC)" "$(newest GLIBCXX)" >"$third/needs.txt"
  tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf - lockstep-trainer | gzip -9n \
    >"$archive.new"
  bytes=$(stat -c %s "$archive.new")
  if [ "$bytes" -ge $((most_megabytes << 20)) ]; then
    rm "$archive.new"
    fail "the archive has $((bytes >> 20)) MiB, $most_megabytes or more" "look with --list for what does not belong"
  fi
  mv "$archive.new" "$archive"
  echo "packed '$archive': $(((bytes + 1048575) >> 20)) MiB; needs $(tr '\n' ' ' <"$third/needs.txt")"
}

case ${1:-} in
  -h | --help) sed -n '3,8s/^# \{0,1\}//p' "tests/gpu/pack.sh" && exit ;;
  --list) ;;
  -*) fail "there is no option '$1'" "see --help" ;;
esac
copy_sources
copy_headers
copy_libraries
if [ "${1:-}" = --list ]; then (cd "$work" && find lockstep-trainer -type f | sort); else
  pack "${1:-build/gpu/lockstep-trainer.tar.gz}"
fi
