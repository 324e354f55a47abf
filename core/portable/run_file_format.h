// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>

namespace lockstep::run_file {

// What a .lockstep file is (docs/formats/run-file.md): an SQLite database with one table of named objects. Numbers for this
// room only.
inline constexpr std::uint32_t kApplicationId = 0x4c4b5246;  // "LKRF"
inline constexpr std::uint32_t kVersion = 1;
// Compared letter by letter: a file whose schema is another one is refused before anything of it is used.
inline constexpr const char* kTable =
    "CREATE TABLE object (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL, bytes BLOB NOT "
    "NULL)";
// With the size in it, a listing reads nothing but the index.
inline constexpr const char* kIndex = "CREATE UNIQUE INDEX object_name ON object (name, size)";

inline constexpr std::size_t kMaxObjectBytes = 32 << 20;
inline constexpr std::size_t kMaxNameBytes = 1024;

inline constexpr const char* kDescription = "run.json";
inline constexpr const char* kTrainYaml = "train.yaml";
inline constexpr const char* kFindings = "findings.json";
inline constexpr const char* kLines = "lines/";       // lines/0000000000.log and so on, in the order of time
inline constexpr const char* kWorkDir = "work-dir/";  // what stood in the run's folder of the work dir

}  // namespace lockstep::run_file
