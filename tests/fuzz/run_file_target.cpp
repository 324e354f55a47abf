// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <filesystem>

#include "base/atomic_file.h"
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "memory_file.h"
#include "portable/line_chunks.h"
#include "portable/open_saved_run.h"
#include "portable/run_description.h"
#include "portable/run_file_writer.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxNodes = 65'536;

// The first byte of an input.
constexpr std::size_t kBytes = 1;  // places and values in a right file; else texts of its objects
constexpr std::size_t kCut = 2;    // and the file ends where the next two bytes say, in 16 bytes

std::string rightFile() {
  std::string folder = (std::filesystem::temp_directory_path() / "lockstep-fuzz.XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return {};
  const std::filesystem::path path = std::filesystem::path(folder) / "x.lockstep";
  std::string bytes;
  if (auto writer = RunFileWriter::create(path)) {
    const std::string line = "2026-11-25T10:00:00.123000000Z\tmain\t0\tI\tid\tepoch 3 loss 0.4\n";
    for (const auto& [name, object] : std::vector<std::pair<std::string, std::string>>{
             {"run.json",
              R"({"id":"x","jobId":"job","nodes":[{"jobRunId":"r","role":"MAIN","state":"FAILED"}]})"},
             {"train.yaml", "kind: job\n"},
             {"findings.json", "[]"},
             {"lines/0000000000.log", line + line},
             {"lines/0000000001.log", line},
             {"work-dir/lockstep/metrics/index.json", "{}"},
             {"work-dir/lockstep/metrics/rank-00000/raw/0000000000.lsm", std::string(20'000, 's')}})
      (void)writer->add(name, object);
    if (writer->finish()) bytes = readFile(path).value_or("");
  }
  std::error_code ec;
  std::filesystem::remove_all(folder, ec);
  return bytes;
}

std::string checkRefusal(const Error& error) {
  const bool isExpected = error.code == ErrorCode::DataLoss || error.code == ErrorCode::InvalidArgument ||
                          error.code == ErrorCode::FailedPrecondition;
  return wordless(error, isExpected ? error.code : ErrorCode::DataLoss);
}

std::string checkLines(const OpenedRunFile& opened) {
  const auto source = opened.lines();
  for (int polls = 0; source && source->isBehind(); ++polls) {
    if (polls > 100) return "lines without an end";
    const auto lines = source->poll({});
    if (!lines) return checkRefusal(lines.error());
    for (const LogLine& line : *lines)
      if (line.text.find('\n') != std::string::npos) return "a line of two lines";
  }
  return {};
}

std::string checkOpened(const OpenedRunFile& opened) {
  if (opened.run.nodes.size() > kMaxNodes) return "more nodes than any run has";
  if (!isTerminal(stateOf(opened.run)) && !opened.run.nodes.empty()) return "a saved run that goes on";
  const auto found = opened.workDir->list("", "", {});
  if (!found) return checkRefusal(found.error());
  for (const ObjectInfo& one : *found) {
    const auto bytes = opened.workDir->get(one.name, {});
    if (bytes && bytes->size() > 33'000'000) return "an object larger than any";
  }
  return checkLines(opened);
}

std::string tryBytes(Parts& parts, bool isCut) {
  static const std::string kRight = rightFile();
  std::string bytes = kRight;
  if (isCut) {
    const std::size_t low = parts.byte();
    bytes.resize(std::min(bytes.size(), 16 * (low + 256 * parts.byte())));
  }
  while (parts.more() && !bytes.empty()) {
    const std::size_t low = parts.byte(), high = parts.byte();
    bytes[(low + 256 * high) % bytes.size()] = static_cast<char>(parts.byte());
  }
  const MemoryFile file(bytes);
  const auto opened = openSavedRun(file.path());
  return opened ? checkOpened(*opened) : checkRefusal(opened.error());
}

std::string tryTexts(Parts& parts) {
  const auto run = runDescribedBy(parts.text());
  if (!run) {
    if (std::string wrong = wordless(run.error(), ErrorCode::DataLoss); !wrong.empty()) return wrong;
  } else if (run->nodes.size() > kMaxNodes || !run->workDir.empty() || !isReadOnly(*run)) {
    return "a run that claims more than a file can know";
  }
  std::size_t bytes = 0;
  for (const LogLine& line : linesIn(parts.rest())) bytes += line.text.size();
  return bytes > parts.rest().size() ? "more text than there is" : "";
}

}  // namespace

std::string tryRunFile(std::string_view input) {
  Parts parts(input);
  const std::size_t how = parts.byte();
  return (how & kBytes) != 0 ? tryBytes(parts, (how & kCut) != 0) : tryTexts(parts);
}

}  // namespace lockstep
