# Warnings, sanitizers and the fast linker, as one interface target that every target of ours links.
add_library(lockstep_options INTERFACE)
target_compile_options(lockstep_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${LOCKSTEP_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns falsely about strings that are put together or moved (GCC bugs 105329, 105651); its headers keep it from
  # saying so, unless they are precompiled. What goes past an end is the sanitizers' to find.
  target_compile_options(lockstep_options INTERFACE
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# What turns a fault of memory into an end with a name rather than into somebody else's code. The sanitizers look closer
# themselves, and _FORTIFY_SOURCE needs an optimising compiler. What each flag does is looked for in the finished programs
# by tests/architecture/hardening_test.
if(NOT LOCKSTEP_SANITIZE)
  target_compile_options(lockstep_options INTERFACE -fstack-protector-strong -D_GLIBCXX_ASSERTIONS
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>)
  target_link_options(lockstep_options INTERFACE LINKER:-z,relro LINKER:-z,now)
endif()
if(LOCKSTEP_SANITIZE)
  target_compile_options(lockstep_options INTERFACE -fsanitize=${LOCKSTEP_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(lockstep_options INTERFACE -fsanitize=${LOCKSTEP_SANITIZE})
endif()

if(LOCKSTEP_BUILD_FUZZERS)
  # What the fuzzer sees of the code it drives; and any undefined behaviour ends it.
  target_compile_options(lockstep_options INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-recover=all)
endif()

find_program(LOCKSTEP_MOLD mold)
if(LOCKSTEP_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_link_options(lockstep_options INTERFACE -fuse-ld=mold)
endif()

find_program(LOCKSTEP_CCACHE ccache)
if(LOCKSTEP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LOCKSTEP_CCACHE})
endif()

# lockstep_add_room(<name> SOURCES … LINK …): one room of core, a static library of its own, so that a forbidden
# arrow between rooms fails to link as well as failing tests/architecture.
function(lockstep_add_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINK" ${ARGN})
  add_library(lockstep_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(lockstep_${name} PUBLIC ${PROJECT_SOURCE_DIR}/core)
  target_link_libraries(lockstep_${name} PUBLIC ${ROOM_LINK} PRIVATE lockstep_options)
  lockstep_reuse_precompiled(lockstep_${name} lockstep_precompiled_room)
endfunction()

# The default of the library, which Debian's Torch says once more; headers are precompiled with what their readers say.
set(LOCKSTEP_TORCH_ABI $<$<BOOL:${LOCKSTEP_PRECOMPILE}>:-D_GLIBCXX_USE_CXX11_ABI=1>)

# What a test program itself does is soon done; what it tests is optimised as ever. A third less time to compile.
set(LOCKSTEP_TEST_OPTIONS $<$<CONFIG:Release>:-O1> ${LOCKSTEP_TORCH_ABI})
if(LOCKSTEP_SANITIZE MATCHES "undefined")
  # Undefined behaviour is looked for in what is tested, not in what tests it: half the time to compile.
  list(APPEND LOCKSTEP_TEST_OPTIONS -fno-sanitize=undefined)
endif()
function(lockstep_compile_quickly name)
  target_compile_options(${name} PRIVATE ${LOCKSTEP_TEST_OPTIONS})
endfunction()

# The loops of the trainer are worth the compiler's time.
set(LOCKSTEP_TRAINER_OPTIONS $<$<CONFIG:Release>:-O3> ${LOCKSTEP_TORCH_ABI})

# Seconds that a test program may take which says nothing else. Sanitized ones take several times as long.
set(LOCKSTEP_TEST_SECONDS 180)
if(LOCKSTEP_SANITIZE)
  set(LOCKSTEP_TEST_SECONDS 1500)
endif()

# lockstep_add_gtest(<name> SOURCES … LINK …): one test program without Qt, registered with CTest.
function(lockstep_add_gtest name)
  cmake_parse_arguments(T "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests/support)
  target_compile_definitions(${name} PRIVATE
    LOCKSTEP_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data" LOCKSTEP_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  target_link_libraries(${name} PRIVATE ${T_LINK} GTest::gtest_main lockstep_options)
  lockstep_compile_quickly(${name})
  lockstep_reuse_precompiled(${name} lockstep_precompiled_gtest)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${LOCKSTEP_TEST_SECONDS})
endfunction()

# lockstep_add_qtest(<name> SOURCES … LINK …): one Qt Test program (a QTEST_MAIN of its own), run without a display.
function(lockstep_add_qtest name)
  cmake_parse_arguments(T "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests/support)
  target_compile_definitions(${name} PRIVATE
    LOCKSTEP_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data" LOCKSTEP_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  target_link_libraries(${name} PRIVATE ${T_LINK} Qt6::Widgets Qt6::Test lockstep_options)
  lockstep_compile_quickly(${name})
  lockstep_reuse_precompiled(${name} lockstep_precompiled_qtest)
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${LOCKSTEP_TEST_SECONDS} ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8")
endfunction()
