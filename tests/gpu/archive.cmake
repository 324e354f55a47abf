# SPDX-License-Identifier: GPL-3.0-or-later
# The CMakeLists.txt of the archive that pack.sh makes: the trainer, the rooms of core that it needs and its tests, built
# with the libraries that are packed beside them, and with the LibTorch of a Python package.
cmake_minimum_required(VERSION 3.20)
file(STRINGS version.txt version)
project(lockstep VERSION ${version} LANGUAGES CXX)

set(LOCKSTEP_TORCH_INCLUDE "" CACHE STRING "Folders of LibTorch's headers")
set(LOCKSTEP_TORCH_LIB "" CACHE PATH "Folder of LibTorch's libraries")
set(LOCKSTEP_CUDA_INCLUDE "" CACHE STRING "Folders of CUDA's headers; empty: LibTorch is for CPUs only")
set(LOCKSTEP_CUDA_RUNTIME "" CACHE FILEPATH "The libcudart.so that LibTorch uses")
set(LOCKSTEP_CUDA_LIB "" CACHE STRING "Folders of CUDA's libraries and NCCL, where LibTorch does not find them itself")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(LOCKSTEP_TRAINER_TORCH ON)
set(LOCKSTEP_SANITIZE "")
set(LOCKSTEP_PRECOMPILE OFF)
include(cmake/ProjectOptions.cmake)
include(cmake/EmbedFiles.cmake)
include(cmake/PrecompiledHeaders.cmake)

find_package(Threads REQUIRED)
set(third ${PROJECT_SOURCE_DIR}/third)
# Before every other folder of headers: LibTorch brings an fmt of another version.
include_directories(BEFORE SYSTEM ${third}/include)
# DT_RPATH and not DT_RUNPATH: the packed libraries find each other by it, too.
add_link_options(LINKER:--disable-new-dtags)
set(CMAKE_BUILD_RPATH ${third}/lib ${LOCKSTEP_TORCH_LIB} ${LOCKSTEP_CUDA_LIB})

# packed_library(<target> FILE…): an imported library of the archive; without files it is headers only.
function(packed_library target)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  foreach(file IN LISTS ARGN)
    target_link_libraries(${target} INTERFACE ${third}/lib/${file})
  endforeach()
  target_include_directories(${target} SYSTEM INTERFACE ${third}/include)
endfunction()
include(third/libraries.cmake)

add_library(gtest STATIC ${third}/googletest/src/gtest-all.cc ${third}/googletest/src/gtest_main.cc)
target_include_directories(gtest SYSTEM PUBLIC ${third}/googletest/include PRIVATE ${third}/googletest)
target_link_libraries(gtest PUBLIC Threads::Threads)
add_library(GTest::gtest_main ALIAS gtest)

# PyTorch's own CMake files ask for the whole CUDA toolkit, with its compiler; the trainer needs some headers of it.
add_library(torch INTERFACE IMPORTED GLOBAL)
set(torch_files ${LOCKSTEP_TORCH_LIB}/libtorch.so ${LOCKSTEP_TORCH_LIB}/libtorch_cpu.so ${LOCKSTEP_TORCH_LIB}/libc10.so)
if(LOCKSTEP_CUDA_INCLUDE)
  add_library(torch_cuda INTERFACE IMPORTED GLOBAL)
  # Functions in LibTorch's headers call the CUDA runtime themselves.
  list(APPEND torch_files ${LOCKSTEP_TORCH_LIB}/libtorch_cuda.so ${LOCKSTEP_TORCH_LIB}/libc10_cuda.so
       ${LOCKSTEP_CUDA_RUNTIME})
endif()
target_include_directories(torch SYSTEM INTERFACE ${LOCKSTEP_TORCH_INCLUDE} ${LOCKSTEP_CUDA_INCLUDE})
# No symbol of libtorch_cuda.so is used by name, and yet it is what brings the GPU. The C++ library comes first: wheels export
# parts of one of their own (std::filesystem::remove_all, with PyTorch 2.11), which end in a null pointer in other programs.
list(JOIN torch_files "," torch_files)
target_link_libraries(torch INTERFACE -Wl,--push-state,--no-as-needed,-lstdc++,${torch_files},--pop-state)
target_link_options(torch INTERFACE LINKER:--allow-shlib-undefined)
target_compile_definitions(torch INTERFACE USE_DISTRIBUTED)
set(TORCH_INCLUDE_DIRS ${LOCKSTEP_TORCH_INCLUDE})
set(TORCH_LIBRARIES torch)

file(GLOB rooms ${PROJECT_SOURCE_DIR}/core/*/CMakeLists.txt)
foreach(room IN LISTS rooms)
  cmake_path(GET room PARENT_PATH folder)
  add_subdirectory(${folder})
endforeach()
add_subdirectory(trainer)
enable_testing()
add_subdirectory(tests/trainer)

add_executable(gpu_usage tests/gpu/gpu_usage.cpp)
target_link_libraries(gpu_usage PRIVATE lockstep_trainer_parts lockstep_options)
