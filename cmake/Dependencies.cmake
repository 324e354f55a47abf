# Every library we use, each with what it is for. packaging/dependencies.txt lists the Debian packages.
include(FeatureSummary)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
set_package_properties(OpenSSL PROPERTIES PURPOSE "request signatures, digests")
find_package(CURL REQUIRED)
set_package_properties(CURL PROPERTIES PURPOSE "HTTP client")
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(LIBYAML REQUIRED IMPORTED_TARGET yaml-0.1)  # train.yaml: YAML 1.1 with marks at both ends
pkg_check_modules(YAML_CPP REQUIRED IMPORTED_TARGET yaml-cpp)  # YAML that is written anew or only read
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
set_package_properties(SQLiteCpp PROPERTIES PURPOSE "run store, state of the rehearsal region")
find_library(LOCKSTEP_LIBCSV csv REQUIRED)  # libcsv brings no file for pkg-config
find_package(CLI11 REQUIRED)
set_package_properties(CLI11 PROPERTIES PURPOSE "command lines")
pkg_check_modules(LIBNL_ROUTE REQUIRED IMPORTED_TARGET libnl-route-3.0)  # links of isolated nodes
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)  # expressions in logs; words of texts, by their Unicode classes

if(LOCKSTEP_BUILD_TRAINER OR LOCKSTEP_BUILD_FUZZERS)
  find_package(JPEG REQUIRED)
  find_package(PNG REQUIRED)
  set_package_properties(JPEG PROPERTIES PURPOSE "pictures that the trainer learns from")
  set_package_properties(PNG PROPERTIES PURPOSE "pictures that the trainer learns from")
endif()
if(LOCKSTEP_BUILD_TRAINER AND LOCKSTEP_TRAINER_TORCH)
  # Debian's Torch package warns about MKL and CUDA that it was built without; that is not news to our users.
  find_package(Torch REQUIRED)
  set_package_properties(Torch PROPERTIES PURPOSE "tensors, autograd and Gloo for lockstep-trainer")
  # PyTorch's wheels bring headers of their own fmt, which the compiler finds before ours: where it sees them, they are
  # all that is used of fmt, since the library that we link is another version.
  list(GET TORCH_INCLUDE_DIRS 0 torch_headers)
  if(EXISTS ${torch_headers}/fmt/format.h AND NOT EXISTS ${torch_headers}/stdio.h)
    set_property(TARGET torch APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY)
  endif()
  # Debian's LibTorch multiplies matrices through whatever BLAS is installed; one with MKL needs nothing.
  find_library(LOCKSTEP_ONEDNN dnnl)
  find_path(LOCKSTEP_ONEDNN_HEADERS dnnl.h)
  if(NOT LOCKSTEP_ONEDNN_HEADERS OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    message(STATUS "lockstep-trainer multiplies matrices through LibTorch's BLAS (oneDNN's headers: ${LOCKSTEP_ONEDNN_HEADERS})")
    set(LOCKSTEP_ONEDNN "")
  endif()
endif()
if(LOCKSTEP_BUILD_DESKTOP)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core DBus Gui Widgets PrintSupport Svg LinguistTools)
  find_package(QCustomPlotQt6 REQUIRED)
  set_package_properties(QCustomPlotQt6 PROPERTIES PURPOSE "plots")
  find_package(Qt6Keychain REQUIRED)
  set_package_properties(Qt6Keychain PROPERTIES PURPOSE "pass phrases in the keychain of the user's system")
endif()
if(LOCKSTEP_BUILD_TESTS)
  find_package(GTest REQUIRED)
  pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)  # loopback servers, requests to the region
  if(LOCKSTEP_BUILD_DESKTOP)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
  endif()
endif()
if(LOCKSTEP_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()
