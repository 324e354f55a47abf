# Headers that most files read anyway are parsed once for each way of compiling, which saves a quarter of a build's time
# (docs/decisions/0048-build-times.md). A file still includes what it uses: the preset dev compiles without this.
set(LOCKSTEP_COMMON_HEADERS
  <algorithm> <array> <atomic> <chrono> <cstdint> <filesystem> <fstream> <functional> <map> <memory> <mutex> <optional>
  <set> <span> <sstream> <stop_token> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
  <fmt/format.h> <nlohmann/json.hpp> <tl/expected.hpp>)
set(LOCKSTEP_COMMON_LIBRARIES fmt::fmt tl::expected nlohmann_json::nlohmann_json Threads::Threads)
set(LOCKSTEP_QT_HEADERS
  <QAbstractTableModel> <QApplication> <QBoxLayout> <QColor> <QComboBox> <QDateTime> <QElapsedTimer> <QFormLayout> <QIcon>
  <QLabel> <QLineEdit> <QPainter> <QPalette> <QPushButton> <QString> <QStringList> <QStyle> <QTableView> <QTimer>
  <QToolButton> <QUndoStack> <QWidget>)

# lockstep_precompiled(<name> KIND <library or executable> HEADERS … LINK … [OPTIONS …]): the headers as whoever reuses them
# compiles: a compiler refuses those that were parsed with other options.
function(lockstep_precompiled name)
  cmake_parse_arguments(P "" "KIND" "HEADERS;LINK;OPTIONS" ${ARGN})
  if(NOT LOCKSTEP_PRECOMPILE)
    return()
  endif()
  set(source ${CMAKE_BINARY_DIR}/precompiled/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() { return 0; }\n")
  if(P_KIND STREQUAL "executable")
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
  else()
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  endif()
  set_target_properties(${name} PROPERTIES AUTOMOC OFF AUTORCC OFF
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/precompiled)
  target_link_libraries(${name} PRIVATE ${P_LINK} lockstep_options)
  target_compile_options(${name} PRIVATE ${P_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${P_HEADERS})
endfunction()

# lockstep_reuse_precompiled(<target> <name>)
function(lockstep_reuse_precompiled target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# A compiler cache takes part only if it may trust that these headers change with their times and sizes. It goes by the
# dependencies that the compiler lists, so that nothing is preprocessed twice.
if(LOCKSTEP_PRECOMPILE AND LOCKSTEP_CCACHE AND CMAKE_CXX_COMPILER_LAUNCHER STREQUAL LOCKSTEP_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_DEPEND=1 ${LOCKSTEP_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-Xclang -fno-pch-timestamp)
  endif()
endif()

lockstep_precompiled(lockstep_precompiled_room HEADERS ${LOCKSTEP_COMMON_HEADERS} LINK ${LOCKSTEP_COMMON_LIBRARIES})
if(LOCKSTEP_BUILD_TRAINER)
  lockstep_precompiled(lockstep_precompiled_trainer HEADERS ${LOCKSTEP_COMMON_HEADERS} LINK ${LOCKSTEP_COMMON_LIBRARIES}
    OPTIONS ${LOCKSTEP_TRAINER_OPTIONS})
endif()
if(LOCKSTEP_BUILD_DESKTOP)
  lockstep_precompiled(lockstep_precompiled_widgets HEADERS ${LOCKSTEP_COMMON_HEADERS} ${LOCKSTEP_QT_HEADERS}
    LINK Qt6::Widgets ${LOCKSTEP_COMMON_LIBRARIES})
endif()
if(LOCKSTEP_BUILD_TESTS)
  lockstep_precompiled(lockstep_precompiled_gtest KIND executable HEADERS <gtest/gtest.h> ${LOCKSTEP_COMMON_HEADERS}
    LINK GTest::gtest ${LOCKSTEP_COMMON_LIBRARIES} OPTIONS ${LOCKSTEP_TEST_OPTIONS})
  if(LOCKSTEP_BUILD_DESKTOP)
    # Without Qt Test, which compiles each folder with a definition of its own.
    lockstep_precompiled(lockstep_precompiled_qtest KIND executable
      HEADERS ${LOCKSTEP_COMMON_HEADERS} ${LOCKSTEP_QT_HEADERS}
      LINK Qt6::Widgets ${LOCKSTEP_COMMON_LIBRARIES} OPTIONS ${LOCKSTEP_TEST_OPTIONS})
  endif()
endif()

# lockstep_compile_for_training(<target>): optimised for the loops of the trainer.
function(lockstep_compile_for_training target)
  target_compile_options(${target} PRIVATE ${LOCKSTEP_TRAINER_OPTIONS})
  lockstep_reuse_precompiled(${target} lockstep_precompiled_trainer)
endfunction()
